import { isDeepStrictEqual } from "node:util";

import { isObject, type Json } from "@leeway/shared/json";

import { memberOf, valueAtPath } from "./live-path.ts";
import type { Row, Shape, ShapeWithin } from "./mapping.ts";
import { alignedValues, meant } from "./aligned.ts";
import { coerced, mirrored } from "./mirrored.ts";
import { namesOf } from "./names.ts";

/** An attribute and how what is live becomes one. */
export function row(live: string, shape: ShapeWithin = mirrored): Row {
  return { live, shape };
}

/** Rows for attributes that only their spelling tells from the live members: `node_type`, `NodeType`, `nodeType`. */
export function same(names: string, within = ""): Record<string, string> {
  return Object.fromEntries(names.split(/\s+/).map((name) => [name, `${within}${name}`]));
}

const ON: ReadonlySet<string> = new Set(["enabled", "on", "true", "active"]);
const OFF: ReadonlySet<string> = new Set(["disabled", "off", "false", "suspended", "inactive"]);

/** A switch that the cloud tells by a word. */
export const switched: Shape = (live) => {
  if (typeof live === "boolean") return live;
  const word = typeof live === "string" ? live.toLowerCase() : "";
  return ON.has(word) ? true : OFF.has(word) ? false : undefined;
};

/** A switch that is on when the cloud says this word. */
export function isWord(expected: string): Shape {
  return (live) => (typeof live === "string" ? live.toLowerCase() === expected.toLowerCase() : undefined);
}

/** Something that is named by its id, its name or by a path that ends with one of them. */
export const reference: Shape = (live, declared) => {
  if (typeof live !== "string") return undefined;
  if (typeof declared !== "string" || declared === "") return live;
  return isEnd(live, declared) || isEnd(declared, live) ? declared : live;
};

/** References in any order. */
export const references: Shape = (live, declared) => {
  const items = typeof live === "string" ? live.split(",") : live;
  if (!Array.isArray(items)) return undefined;
  const known = Array.isArray(declared) ? declared : [];
  const found = meant(items, known, (item, one) => isDeepStrictEqual(reference(item, one), one));
  return alignedValues(found, known);
};

/** Something that a state may be too old to have, or that was set beside it since. */
export const ifSet: Shape = (live, declared) => (declared ? mirrored(live, declared) : undefined);

/** What is in the only item of a list. */
export function sole(shape: Shape): Shape {
  return (live, declared) =>
    Array.isArray(live) && live.length === 1 ? shape(live[0] ?? null, declared) : undefined;
}

/** Whether `long` says where the thing is that `short` names. */
function isEnd(long: string, short: string): boolean {
  if (short === "" || !long.endsWith(short)) return false;
  return /^[/:]|^$/.test(short.startsWith("/") ? "/" : (long.at(-short.length - 1) ?? ""));
}

/**
 * Something that isn't in an answer when there is none; an answer without `beside`, which full ones have, tells nothing
 * of it.
 * @param otherwise what holds then, where that isn't nothing
 */
export function unlessGone({ live, shape }: Row, beside: string, otherwise?: Json): Row {
  return row("", (_, declared, whole) => {
    const found = valueAtPath(whole.live, live) ?? null;
    if (found !== null) return shape(found, declared, whole);
    if ((valueAtPath(whole.live, beside) ?? null) === null) return undefined;
    return shape(otherwise ?? none(declared), declared, whole);
  });
}

/** Nothing, as an attribute of this type has it. */
export function none(declared: Json): Json {
  if (Array.isArray(declared)) return [];
  if (isObject(declared)) return {};
  if (typeof declared === "boolean") return false;
  return typeof declared === "number" ? 0 : "";
}

/** A JSON document, which the cloud may give parsed, or encoded as in an address. */
export const document: Shape = (live, declared) => {
  if (live === "" || live === null) return live;
  const text = typeof live === "string" ? decoded(live) : JSON.stringify(live);
  const value = text === undefined ? undefined : parse(text);
  if (text === undefined || value === undefined) return undefined;
  const known = typeof declared === "string" ? parse(declared) : undefined;
  if (known !== undefined && isDeepStrictEqual(known, value)) return declared;
  return text;
};

/** The document that is in force, of a policy whose versions AWS Config lists. */
export const policyInForce: Shape = (live, declared) => {
  if (!Array.isArray(live)) return document(live, declared);
  const version = live.find((item) => memberOf(item, namesOf("isDefaultVersion")) === true);
  return document(memberOf(version, namesOf("document")) ?? null, declared);
};

/** A document of SQS, whose numbers may be text. */
export const redrivePolicy: Shape = (live, declared) => {
  const [now, then] = [textual(live), textual(declared)];
  return now !== undefined && isDeepStrictEqual(now, then) ? declared : document(live, declared);
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

/** A value of which the cloud knows no case. */
export const anyCase: Shape = (live, declared) => {
  const value = coerced(live, declared);
  const isEqual =
    typeof value === "string" &&
    typeof declared === "string" &&
    value.toLowerCase() === declared.toLowerCase();
  return isEqual ? declared : typeof value === "object" ? undefined : value;
};

/** A map, whose names are anybody's own and stay as they are, also where there was none. */
export const map: Shape = (live, declared) => mirrored(live, declared ?? {});

/** Only what is a plain value; a listing may have the whole thing that is referred to. */
export const plain: Shape = (live, declared) => (isObject(live) ? undefined : mirrored(live, declared));
