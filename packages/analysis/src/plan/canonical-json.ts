import { isObject, type Json } from "@leeway/shared/values/json";

/** Returns the canonical JSON text of a value (RFC 8785). */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .toSorted()
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name] ?? null)}`);
  return `{${members.join(",")}}`;
}

/** Returns a key that only equal values share; cheaper than canonical JSON for strings. */
export function keyOf(value: Json): string {
  return typeof value === "string" ? `"${value}` : canonicalJson(value);
}

/** Checks whether two lists hold the same items, in any order. */
export function isSameMultiset(one: readonly Json[], other: readonly Json[]): boolean {
  if (one.length !== other.length) return false;
  const keys = other.map(keyOf).toSorted();
  return one
    .map(keyOf)
    .toSorted()
    .every((key, index) => key === keys[index]);
}
