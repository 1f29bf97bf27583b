import type { Json } from "@leeway/shared/json";
import { REDACTED } from "@leeway/shared/redact";

const DEEPEST = 200;

/** `text` without what PostgreSQL refuses in jsonb: NUL and halves of surrogate pairs. */
export function storable(text: string): string {
  return text.replaceAll("\0", "").toWellFormed();
}

/** `value` with all its texts storable; what lies deeper than 200 levels is hidden, as `redact` does. */
export function storableJson(value: Json, depth = 0): Json {
  if (typeof value === "string") return storable(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth > DEEPEST) return REDACTED;
  if (Array.isArray(value)) return value.map((item) => storableJson(item, depth + 1));
  const entries = Object.entries(value).map(([key, item]) => [storable(key), storableJson(item, depth + 1)]);
  return Object.fromEntries(entries);
}
