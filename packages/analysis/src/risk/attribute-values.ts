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

/** A length of time: `90d`, `1h30m`, `P14D`. `P1M` is a month, whose length isn't known. */
const LENGTH =
  /^(?:P(?![^T]*M))?(?:(\d{1,9})W)?(?:(\d{1,9})D)?T?(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,12}(?:\.\d{1,9})?)S)?$/i;
const SECONDS = [604_800, 86_400, 3_600, 60, 1];

/** Parses a number, or a length of time in seconds; NaN for other values. */
export function lengthOf(value: Json | undefined): number {
  const found = typeof value === "string" ? LENGTH.exec(value) : null;
  const parts: (string | undefined)[] = found?.slice(1) ?? [];
  if (parts.every((part) => part === undefined)) return numeric(value);
  return parts.reduce((sum, part = "0", index) => sum + Number(part) * (SECONDS[index] ?? 0), 0);
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
