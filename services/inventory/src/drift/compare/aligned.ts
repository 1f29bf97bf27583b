import { isDeepStrictEqual } from "node:util";

import { isObject, text, type Json } from "@leeway/shared/json";

/** Of longer lists not every value is held against every other: it would keep the process, and everybody, for minutes. */
const MOST_PAIRS = 1_000_000;
/** The same of values in blocks, of which each costs less. */
const MOST_PAIRS_IN_BLOCKS = 20_000_000;

type Fits = (live: Json, declared: Json) => boolean;

/**
 * Each as the declared value that it means, where there is one. In long lists only what is written alike, but for its
 * type and case, is looked at.
 */
export function meant(live: readonly Json[], declared: readonly Json[], means: Fits): Json[] {
  const alike = new Map(declared.toReversed().map((value) => [written(value), value]));
  const isShort = live.length * declared.length <= MOST_PAIRS;
  return live.map((item) => {
    const known = alike.get(written(item));
    if (known !== undefined && means(item, known)) return known;
    return (isShort ? declared.find((value) => means(item, value)) : undefined) ?? item;
  });
}

function written(value: Json): string {
  return (typeof value === "string" ? value : JSON.stringify(value)).toLowerCase();
}

/** The values at the places where the state has them; others take the places that are left, or come behind. */
export function alignedValues(live: readonly Json[], declared: readonly Json[]): Json[] {
  const counts = new Map<string, number>();
  const count = (value: Json, by: number): number => {
    const key = JSON.stringify(value);
    const found = counts.get(key) ?? 0;
    counts.set(key, Math.max(0, found + by));
    return found;
  };
  for (const item of live) count(item, 1);
  const isThere = declared.map((value) => count(value, -1) > 0);
  const left = live.toReversed().filter((item) => count(item, -1) > 0);
  const filled = declared.flatMap((value, index) => (isThere[index] ? [value] : left.splice(-1)));
  return [...filled, ...left.toReversed()];
}

/**
 * The blocks at the places where the state has them: those that are equal, then those of the same name. What is left
 * changed, in order; where a block went away there is null, and what came is behind the others.
 */
export function alignedBlocks(
  live: readonly Json[],
  declared: readonly Json[],
  shape: (live: Json, declared: Json) => Json,
): Json[] | undefined {
  if (nodesOf(live) * nodesOf(declared) > MOST_PAIRS_IN_BLOCKS) return alignedByName(live, declared, shape);
  const left = [...live];
  const take = (fits: (item: Json) => boolean): Json | undefined => {
    const index = left.findIndex(fits);
    return index < 0 ? undefined : left.splice(index, 1)[0];
  };
  const placed = new Map<number, Json>();
  for (const fits of [isSame(shape), isNamesake, () => true]) {
    for (const [index, block] of declared.entries()) {
      const found = placed.has(index) ? undefined : take((item) => fits(item, block));
      if (found !== undefined) placed.set(index, shape(found, block));
    }
  }
  return [...declared.map((_, index) => placed.get(index) ?? null), ...left.map((item) => shape(item, null))];
}

/** The same in time for any number of blocks; undefined where they have no names to be told apart by. */
function alignedByName(
  live: readonly Json[],
  declared: readonly Json[],
  shape: (live: Json, declared: Json) => Json,
): Json[] | undefined {
  const left = new Map(live.map((item) => [nameOf(item), item]));
  const names = declared.map(nameOf);
  if (left.size < live.length || left.has(undefined) || names.includes(undefined)) return undefined;
  const placed = declared.map((block, index) => {
    const found = left.get(names[index]);
    left.delete(names[index]);
    return found === undefined ? null : shape(found, block);
  });
  return [...placed, ...left.values().map((item) => shape(item, null))];
}

function nameOf(block: Json): string | undefined {
  if (!isObject(block)) return undefined;
  const member = NAMES.find((name) => typeof block[name] === "string");
  return member && `${member} ${text(block, member)}`;
}

/** How many values are in it, however deep. */
function nodesOf(value: Json | readonly Json[]): number {
  if (value === null || typeof value !== "object") return 1;
  return Object.values(value).reduce<number>((sum, inner) => sum + nodesOf(inner ?? null), 1);
}

function isSame(shape: (live: Json, declared: Json) => Json): Fits {
  return (live, declared) => isDeepStrictEqual(shape(live, declared), declared);
}

const isNamesake: Fits = (live, declared) =>
  isObject(live) &&
  isObject(declared) &&
  NAMES.some((name) => live[name] !== undefined && live[name] === declared[name]);

/** Members by which the blocks of a list are told apart. */
const NAMES = ["name", "key", "id", "object_id"];
