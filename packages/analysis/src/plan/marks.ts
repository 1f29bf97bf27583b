import { isObject, type Json, type JsonObject } from "@leeway/shared/values/json";
import { redactForms } from "@leeway/shared/security/redaction/secret-text";

/** Values marked by a mask (`before_sensitive`, `after_sensitive`, `after_unknown`): all, none, or some parts. */
export type Marks = true | undefined | Marks[] | ReadonlyMap<string, Marks>;

/**
 * Returns the marks of `mask`. A value that isn't a list or object marks everything, unless it is false, empty or
 * absent.
 */
export function marksOf(mask: Json | undefined): Marks {
  if (Array.isArray(mask)) return itemMarks(mask);
  return isObject(mask) ? memberMarks(mask) : Boolean(mask) || undefined;
}

/**
 * Returns the marks of a list, or undefined if it has none. Most masks mark nothing, so lists and maps are only
 * created when needed.
 */
function itemMarks(mask: readonly Json[]): Marks {
  let marks: Marks[] | undefined;
  for (const [index, item] of mask.entries()) {
    const inner = marksOf(item);
    if (inner === undefined) continue;
    marks ??= mask.map(() => undefined);
    marks[index] = inner;
  }
  return marks;
}

function memberMarks(mask: JsonObject): Marks {
  let marks: Map<string, Marks> | undefined;
  for (const name of Object.keys(mask)) {
    const inner = marksOf(mask[name]);
    if (inner !== undefined) (marks ??= new Map()).set(name, inner);
  }
  return marks;
}

/** Cache of unions, because each item of a list may ask for the same one. */
const unions = new WeakMap<readonly Marks[], Marks>();

/** Returns the union of `all`. Lists of different lengths mark everything, because their items don't correspond. */
export function unionOf(all: readonly Marks[]): Marks {
  if (unions.has(all)) return unions.get(all);
  const union = unite(all.filter((marks) => marks !== undefined));
  unions.set(all, union);
  return union;
}

function unite(all: readonly Exclude<Marks, undefined>[]): Marks {
  const [first] = all;
  if (first === undefined || all.length === 1) return first;
  const lists = all.filter((marks) => Array.isArray(marks));
  if (lists.length === all.length) return uniteLists(lists);
  const maps = all.filter((marks) => marks instanceof Map);
  return maps.length === all.length ? uniteMaps(maps) : true;
}

function uniteLists(lists: readonly Marks[][]): Marks {
  const [first = []] = lists;
  if (lists.some(({ length }) => length !== first.length)) return true;
  return first.map((_, index) => unionOf(lists.map((list) => list[index])));
}

function uniteMaps(maps: readonly ReadonlyMap<string, Marks>[]): Marks {
  const members = new Map<string, Marks[]>(); // the oldest Node.js supported by the CLI lacks `Map.groupBy`
  for (const [name, marks] of maps.flatMap((map) => [...map])) {
    const own = members.get(name);
    if (own) own.push(marks);
    else members.set(name, [marks]);
  }
  return new Map(Array.from(members, ([name, own]) => [name, unionOf(own)]));
}

/** Returns `mask` with only marks in it: no values, and no names that have the form of a secret. */
export function cleanMask(mask: Json): Json {
  return isClean(mask) ? mask : toClean(mask);
}

function isClean(mask: Json): boolean {
  if (Array.isArray(mask)) return mask.every(isClean);
  if (!isObject(mask)) return typeof mask === "boolean";
  return Object.keys(mask).every((name) => redactForms(name) === name && isClean(mask[name] ?? null));
}

/** Cleans a mask. If two names become the same, a mark on either applies to both. */
function toClean(mask: Json): Json {
  if (Array.isArray(mask)) return mask.map(toClean);
  if (!isObject(mask)) return Boolean(mask);
  const members = new Map<string, Json>();
  for (const [given, inner] of Object.entries(mask)) {
    const name = redactForms(given);
    members.set(name, members.has(name) || toClean(inner));
  }
  return Object.fromEntries(members);
}
