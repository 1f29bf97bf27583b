import type { Json, JsonObject } from "./json.ts";
import { REDACTED } from "./redaction/secret-names.ts";

const DEEPEST = 200;

/** `text` without what PostgreSQL refuses in jsonb: NUL and halves of surrogate pairs. */
export function storable(text: string): string {
  return text.replaceAll("\0", "").toWellFormed();
}

/**
 * `value` with all its texts storable, or `value` itself where they are. What lies deeper than 200 levels is hidden,
 * as `redact` does, and so is what stands under names that become one.
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
