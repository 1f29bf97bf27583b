import type { Json } from "@leeway/shared/values/json";

import { wholeInternet } from "./internet.ts";

/** Returns whether networks, individually or together, include nearly everyone. */
export function hasEverybody(value: Json | undefined): boolean {
  return wholeInternet(textsOf(value)).length > 0;
}

/** Parses a number; NaN for other values, so that comparisons fail. */
export function numeric(value: Json | undefined): number {
  if (typeof value === "number") return value;
  return typeof value === "string" && value.trim() !== "" ? Number(value) : Number.NaN;
}

/** Returns whether a value is absent, null, or an empty text, list or block. */
export function isEmpty(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

/** Returns a value, or the values of a list, as texts. */
export function textsOf(value: Json | undefined): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => textsOf(item));
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? [String(value)]
    : [];
}
