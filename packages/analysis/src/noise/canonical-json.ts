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

export function isSame(one: Json, other: Json): boolean {
  return one === other || canonicalJson(one) === canonicalJson(other);
}

/** Whether two lists hold the same items, in whatever order. */
export function isSameMultiset(one: readonly Json[], other: readonly Json[]): boolean {
  if (one.length !== other.length) return false;
  const texts = other.map(canonicalJson).toSorted();
  return one
    .map(canonicalJson)
    .toSorted()
    .every((text, index) => text === texts[index]);
}
