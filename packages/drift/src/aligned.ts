import { isObject, text, type Json, sameJson } from "@leeway/shared/values/json";

/** Max number of value pairs to compare. Comparing longer lists completely would block the process for minutes. */
const MAX_PAIRS = 250_000;
/** Same limit for the values in blocks, which are cheaper to compare. */
const MAX_PAIRS_IN_BLOCKS = 2_000_000;

type Fits = (live: Json, declared: Json) => boolean;

/**
 * Replaces each live value with the declared value that means the same, if there is one. In long lists, two values
 * match only if they are equal except for type and case.
 */
export function meant(live: readonly Json[], declared: readonly Json[], means: Fits): Json[] {
  const alike = new Map(declared.toReversed().map((value) => [written(value), value]));
  const isShort = live.length * declared.length <= MAX_PAIRS;
  return live.map((item) => {
    const known = alike.get(written(item));
    if (known !== undefined && means(item, known)) return known;
    return (isShort ? declared.find((value) => means(item, value)) : undefined) ?? item;
  });
}

function written(value: Json): string {
  return (typeof value === "string" ? value : JSON.stringify(value)).toLowerCase();
}

/** Orders live values as in the state. New values take the free places, or follow at the end. */
export function alignedValues(live: readonly Json[], declared: readonly Json[]): Json[] {
  if (live.length === declared.length && live.every((item, index) => item === declared[index]))
    return [...live];
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
 * Orders live blocks as in the state. Equal blocks are matched first, then blocks with the same name. The rest counts
 * as changed, in order. A removed block becomes null, and added blocks follow at the end. Equal blocks in the same
 * place are skipped early, so that only changed blocks are compared with each other.
 */
export function alignedBlocks(
  live: readonly Json[],
  declared: readonly Json[],
  shape: (live: Json, declared: Json) => Json,
): Json[] | undefined {
  const same = isSame(shape);
  const stays = declared.map((block, index) => {
    const item = live[index];
    return item !== undefined && isOfOneName(item, block) && same(item, block);
  });
  const left = live.filter((_, index) => stays[index] !== true);
  const open = declared.filter((_, index) => stays[index] !== true);
  const moved =
    nodesOf(left) * nodesOf(open) > MAX_PAIRS_IN_BLOCKS
      ? alignedByName(left, open, shape)
      : alignedOneByOne(left, open, shape);
  if (moved === undefined) return undefined;
  const came = moved.splice(open.length);
  const placed = declared.map((block, index) => {
    const item = live[index];
    return stays[index] === true && item !== undefined ? shape(item, block) : (moved.shift() ?? null);
  });
  return [...placed, ...came];
}

function alignedOneByOne(
  live: readonly Json[],
  declared: readonly Json[],
  shape: (live: Json, declared: Json) => Json,
): Json[] {
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

/** Matches blocks only by name, in linear time; returns undefined if names are missing or not unique. */
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

/** Counts the values inside a value, at any depth. */
function nodesOf(value: Json | readonly Json[]): number {
  if (value === null || typeof value !== "object") return 1;
  return Object.values(value).reduce<number>((sum, inner) => sum + nodesOf(inner ?? null), 1);
}

/** Reports whether both have the same name, or none. A cloud's short name may mean another block's long one. */
function isOfOneName(live: Json, declared: Json): boolean {
  return nameOf(live) === undefined ? nameOf(declared) === undefined : isNamesake(live, declared);
}

function isSame(shape: (live: Json, declared: Json) => Json): Fits {
  return (live, declared) => sameJson(shape(live, declared), declared);
}

const isNamesake: Fits = (live, declared) =>
  isObject(live) &&
  isObject(declared) &&
  NAMES.some((name) => live[name] !== undefined && live[name] === declared[name]);

/** Members that identify the blocks of a list. */
const NAMES = ["name", "key", "id", "object_id"];
