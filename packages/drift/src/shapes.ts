import { isObject, type Json, sameJson } from "@leeway/shared/values/json";

import { memberOf, valueAtPath } from "./live-path.ts";
import type { Row, Shape, ShapeWithin } from "./mapping.ts";
import { alignedValues, meant } from "./aligned.ts";
import { coerced, isNothing, mirrored } from "./mirrored.ts";
import { namesOf } from "./names.ts";

/** Returns a row for a live path with the shape that converts its value. */
export function row(live: string, shape: ShapeWithin = mirrored): Row {
  return { live, shape };
}

/**
 * Returns rows for attributes that differ from the live members only in spelling: `node_type`, `NodeType`, `nodeType`.
 */
export function same(names: string, within = ""): Record<string, string> {
  return Object.fromEntries(names.split(/\s+/).map((name) => [name, `${within}${name}`]));
}

const ON: ReadonlySet<string> = new Set(["enabled", "on", "true", "active"]);
const OFF: ReadonlySet<string> = new Set(["disabled", "off", "false", "suspended", "inactive"]);

/** Converts a word to a switch. */
export const switched: Shape = (live) => {
  if (typeof live === "boolean") return live;
  const word = typeof live === "string" ? live.toLowerCase() : "";
  return ON.has(word) ? true : OFF.has(word) ? false : undefined;
};

/** Returns a shape for a switch that is on if the cloud writes this word. */
export function isWord(expected: string): Shape {
  return (live) => (typeof live === "string" ? live.toLowerCase() === expected.toLowerCase() : undefined);
}

/** Compares references by id, name, or a path that ends with one of them. */
export const reference: Shape = (live, declared) => {
  if (typeof live !== "string") return undefined;
  if (typeof declared !== "string" || declared === "") return live;
  return isEnd(live, declared) || isEnd(declared, live) ? declared : live;
};

/** Compares references in any order. */
export const references: Shape = (live, declared) => {
  const items = typeof live === "string" ? live.split(",") : live;
  if (!Array.isArray(items)) return undefined;
  const known = Array.isArray(declared) ? declared : [];
  const found = meant(items, known, (item, one) => sameJson(reference(item, one), one));
  return alignedValues(found, known);
};

/** Compares a value only if the state has one. An old state may lack it, or a separate resource may have set it. */
export const ifSet: Shape = (live, declared) => (declared ? mirrored(live, declared) : undefined);

/** Returns a shape for the only item of a list. */
export function sole(shape: Shape): Shape {
  return (live, declared) =>
    Array.isArray(live) && live.length === 1 ? shape(live[0] ?? null, declared) : undefined;
}

/** Reports whether `long` is a path to what `short` names. */
export function isEnd(long: string, short: string): boolean {
  if (short === "" || !long.endsWith(short)) return false;
  return /^[/:]|^$/.test(short.startsWith("/") ? "/" : (long.at(-short.length - 1) ?? ""));
}

/**
 * Returns a row for a member that is omitted if it is empty. Full
 * answers contain `beside`; others say nothing about the member.
 * @param otherwise the value of an omitted member, if that isn't empty
 */
export function unlessGone({ live, shape, ...others }: Row, beside: string, otherwise?: Json): Row {
  const shaped: ShapeWithin = (_, declared, whole) => {
    const found = valueAtPath(whole.live, live) ?? null;
    if (found !== null) return shape(found, declared, whole);
    if ((valueAtPath(whole.live, beside) ?? null) === null) return undefined;
    return shape(otherwise ?? none(declared), declared, whole);
  };
  return { ...others, ...row("", shaped), reads: live };
}

/** Returns the empty value of an attribute's type. */
export function none(declared: Json): Json {
  if (Array.isArray(declared)) return [];
  if (isObject(declared)) return {};
  if (typeof declared === "boolean") return false;
  return typeof declared === "number" ? 0 : "";
}

/** Compares a JSON document, which the cloud may return parsed or URL-encoded. */
export const document: Shape = (live, declared) => {
  if (live === "" || live === null) return live;
  if (!declared && isNothing(live)) return declared;
  const text = typeof live === "string" ? decoded(live) : JSON.stringify(live);
  const value = text === undefined ? undefined : parse(text);
  if (value === undefined) return undefined;
  return isSameDocument(value, declared) ? declared : text;
};

function isSameDocument(value: Json, declared: Json): boolean {
  const known = typeof declared === "string" ? parse(declared) : undefined;
  return known !== undefined && sameJson(known, value);
}

/** Compares the default version of a policy. AWS Config lists all versions. */
export const policyInForce: Shape = (live, declared) => {
  if (!Array.isArray(live)) return document(live, declared);
  const version = live.find((item) => memberOf(item, namesOf("isDefaultVersion")) === true);
  return document(memberOf(version, namesOf("document")) ?? null, declared);
};

/** Compares an SQS document, whose numbers may be text. */
export const redrivePolicy: Shape = (live, declared) => {
  const [now, then] = [textual(live), textual(declared)];
  return now !== undefined && sameJson(now, then) ? declared : document(live, declared);
};

function textual(value: Json): Record<string, string> | undefined {
  const policy = typeof value === "string" ? parse(value) : value;
  if (!isObject(policy)) return undefined;
  return Object.fromEntries(
    Object.entries(policy).map(([name, inner]) => [name, JSON.stringify(coerced(inner, ""))]),
  );
}

function decoded(text: string): string | undefined {
  if (!text.startsWith("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Compares a value case-insensitively. */
export const anyCase: Shape = (live, declared) => {
  const value = coerced(live, declared);
  const isEqual =
    typeof value === "string" &&
    typeof declared === "string" &&
    value.toLowerCase() === declared.toLowerCase();
  return isEqual ? declared : typeof value === "object" ? undefined : value;
};

/** Compares a map, whose keys belong to the user and are kept, even if the state has none. */
export const map: Shape = (live, declared) => mirrored(live, declared ?? {});

/** Compares plain values only; a listing may contain the whole referenced object. */
export const plain: Shape = (live, declared) => (isObject(live) ? undefined : mirrored(live, declared));
