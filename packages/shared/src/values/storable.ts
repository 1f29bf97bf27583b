import type { Json, JsonObject } from "./json.ts";
import { REDACTED } from "./redacted.ts";

const DEEPEST = 200;

/** Removes the characters that PostgreSQL refuses in jsonb: NUL and unpaired surrogates. */
export function storable(text: string): string {
  return text.replaceAll("\0", "").toWellFormed();
}

/**
 * Returns `value` with storable texts, or `value` itself if it has only those. Values nested deeper than 200 levels
 * are redacted, as in `redact`, and so are values whose names become equal.
 */
export function storableJson<T extends Json>(value: T): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the outermost shape stays
  return isStorable(value, 0) ? value : (toStorable(value, 0) as T);
}

function isStorable(value: Json, depth: number): boolean {
  if (typeof value === "string") return isStorableText(value);
  if (typeof value !== "object" || value === null) return true;
  if (depth > DEEPEST) return false;
  if (Array.isArray(value)) return value.every((item) => isStorable(item, depth + 1));
  return Object.keys(value).every(
    (name) => isStorableText(name) && isStorable(value[name] ?? null, depth + 1),
  );
}

function isStorableText(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

function toStorable(value: Json, depth: number): Json {
  if (typeof value === "string") return storable(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth > DEEPEST) return REDACTED;
  if (Array.isArray(value)) return value.map((item) => toStorable(item, depth + 1));
  return membersOf(value, depth);
}

function membersOf(object: JsonObject, depth: number): JsonObject {
  const members = new Map<string, Json>();
  for (const [given, item] of Object.entries(object)) {
    const name = storable(given);
    members.set(name, members.has(name) ? REDACTED : toStorable(item, depth + 1));
  }
  return Object.fromEntries(members);
}
