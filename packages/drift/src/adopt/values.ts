import { isObject, type Json, type JsonObject } from "@leeway/shared/values/json";
import { REDACTED } from "@leeway/shared/values/redacted";

import { switched } from "../shapes.ts";
import type { Argument, ArgumentKind } from "./arguments.ts";

/** Converts a live value to what an argument takes; undefined if that isn't certain. */
export function valueFor({ kind, name }: Argument, live: Json): Json | undefined {
  return live === null ? undefined : CONVERSIONS[kind](live, name);
}

const nothing = (): undefined => undefined;

const CONVERSIONS: Readonly<Record<ArgumentKind, (live: Json, name: string) => Json | undefined>> = {
  t: textOf,
  n: numberOf,
  s: (live) => (live === REDACTED ? live : (switched(live, null) ?? undefined)),
  l: (live) => listOf(live, false),
  L: (live) => listOf(live, true),
  m: mapOf,
  j: nothing,
  b: nothing,
  B: nothing,
};

const DOCUMENT = /(?:policy|policies|document|definition|template|body|pattern|schema|rules|json)$/;

function textOf(live: Json, name: string): string | undefined {
  if (typeof live === "string") return decoded(live);
  const text = scalarText(live);
  if (text !== undefined) return text;
  return DOCUMENT.test(name) ? JSON.stringify(live) : undefined;
}

/** Returns a value as text; undefined for an object, a list and null. */
export function scalarText(value: Json | undefined): string | undefined {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
}

/** Decodes a document, which some APIs encode like a URL. */
function decoded(text: string): string {
  if (!text.startsWith("%7B")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function numberOf(live: Json): Json | undefined {
  if (typeof live === "number" || live === REDACTED) return live;
  const amount = typeof live === "string" ? /^(-?\d+(?:\.\d+)?)s?$/.exec(live)?.[1] : undefined;
  return amount === undefined ? undefined : Number(amount);
}

function listOf(live: Json, areNumbers: boolean): Json | undefined {
  if (live === REDACTED) return live;
  if (!Array.isArray(live) || live.some((one) => one === null || typeof one === "object")) return undefined;
  const items = live.map((one) => (areNumbers ? numberOf(one) : scalarText(one)));
  return items.every((one) => one !== undefined) ? items : undefined;
}

const KEYS = ["key", "Key", "name", "Name"];
const VALUES = ["value", "Value"];

function mapOf(live: Json): Json | undefined {
  if (live === REDACTED) return live;
  const found = Array.isArray(live) ? pairsIn(live) : live;
  if (!isObject(found)) return undefined;
  const entries = Object.entries(found).filter(([, value]) => value !== null);
  if (entries.some(([, value]) => typeof value === "object")) return undefined;
  return Object.fromEntries(entries.map(([key, value]): [string, Json] => [key, scalarText(value) ?? null]));
}

function pairsIn(items: readonly Json[]): JsonObject | undefined {
  const pairs = items.flatMap((item): [string, Json][] => {
    const [key, value] = [member(item, KEYS), member(item, VALUES)];
    return typeof key === "string" && value !== undefined ? [[key, value]] : [];
  });
  return pairs.length === items.length ? Object.fromEntries(pairs) : undefined;
}

function member(item: Json, names: readonly string[]): Json | undefined {
  return isObject(item) ? names.map((name) => item[name]).find((value) => value !== undefined) : undefined;
}

/** Reports whether a value says no more than leaving the argument out. */
export function isInitial({ isRequired, initial }: Argument, value: Json): boolean {
  if (isRequired) return false;
  if (value === "" || value === null) return true;
  if (typeof value === "object") return Object.keys(value).length === 0;
  if (initial === undefined) return value === false || value === 0;
  return initial !== "?" && scalarText(value) === initial;
}

/** Reports whether a value, or one inside it, was hidden as a secret. */
export function isHidden(value: Json): boolean {
  if (typeof value === "string") return value.includes(REDACTED);
  return (
    value !== null && typeof value === "object" && Object.values(value).some((one) => isHidden(one ?? null))
  );
}
