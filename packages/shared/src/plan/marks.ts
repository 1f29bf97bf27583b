import { isObject, type Json } from "../json.ts";
import { redactForms } from "../redaction/secret-text.ts";

/** What a mask (`before_sensitive`, `after_sensitive`, `after_unknown`) marks: all, nothing, or some of the parts. */
export type Marks = true | undefined | Marks[] | ReadonlyMap<string, Marks>;

/** What `mask` marks. Anything that is neither a list nor an object marks all, unless it is false, empty or absent. */
export function marksOf(mask: Json | undefined): Marks {
  return isMarking(mask) ? toMarks(mask) : undefined;
}

/** Most masks mark nothing, and say so at length. */
function isMarking(mask: Json | undefined): boolean {
  if (typeof mask !== "object" || mask === null) return Boolean(mask);
  return Array.isArray(mask) ? mask.some(isMarking) : Object.keys(mask).some((name) => isMarking(mask[name]));
}

function toMarks(mask: Json | undefined): Marks {
  if (Array.isArray(mask)) return mask.map(marksOf);
  if (!isObject(mask)) return true;
  const members = Object.entries(mask).map(([name, inner]): [string, Marks] => [name, marksOf(inner)]);
  return new Map(members.filter(([, marks]) => marks));
}

/** What one of two marks. Of lists that differ in length nobody knows which item is meant: they mark all. */
export function unite(one: Marks, other: Marks): Marks {
  if (!one || !other) return one ?? other;
  if (Array.isArray(one) && Array.isArray(other) && one.length === other.length) {
    return one.map((marks, index) => unite(marks, other[index]));
  }
  if (one instanceof Map && other instanceof Map) {
    const names = new Set([...one.keys(), ...other.keys()]);
    return new Map(Array.from(names, (name) => [name, unite(one.get(name), other.get(name))]));
  }
  return true;
}

/** `mask` with nothing but marks in it: no value, and no name that is a secret by its form. */
export function cleanMask(mask: Json): Json {
  return isClean(mask) ? mask : toClean(mask);
}

function isClean(mask: Json): boolean {
  if (Array.isArray(mask)) return mask.every(isClean);
  if (!isObject(mask)) return typeof mask === "boolean";
  return Object.keys(mask).every((name) => redactForms(name) === name && isClean(mask[name] ?? null));
}

/** Where names become one, all under it is marked. */
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
