import { isObject, type Json } from "@leeway/shared/json";

/** The one text of a value that all texts of it share (RFC 8785). */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .toSorted()
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name] ?? null)}`);
  return `{${members.join(",")}}`;
}

/** A text that a value shares with its equals alone, quicker than canonical JSON where it is a text itself. */
export function keyOf(value: Json): string {
  return typeof value === "string" ? `"${value}` : canonicalJson(value);
}

/** Whether two lists hold the same items, in whatever order. */
export function isSameMultiset(one: readonly Json[], other: readonly Json[]): boolean {
  if (one.length !== other.length) return false;
  const keys = other.map(keyOf).toSorted();
  return one
    .map(keyOf)
    .toSorted()
    .every((key, index) => key === keys[index]);
}
