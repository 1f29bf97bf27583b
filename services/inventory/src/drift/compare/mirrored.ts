import { isDeepStrictEqual } from "node:util";

import { isObject, type Json, type JsonObject } from "@leeway/shared/json";

import { alignedBlocks, alignedValues, meant } from "./aligned.ts";
import { mirroredMember } from "./live-path.ts";
import type { Shape } from "./mapping.ts";
import { snakeCase } from "./names.ts";

/** Nothing in a resource is nested deeper. */
const MOST_DEPTH = 40;

/** The member that an attribute is, of an object that a cloud answered. */
export type Member = (live: Json | undefined, name: string, declared: Json) => Json | undefined;

/** How a cloud's values become those of a state. */
interface Style {
  /** What a scalar is in the state's words; itself `declared` when it means the same. */
  scalar: (live: Json, declared: Json) => Json;
  /** Where an attribute of a block is; `mirroredMember` without it. */
  member?: Member;
  /** Whether blocks are objects; elsewhere an object is a map, of which each key counts. */
  nested?: boolean;
  /** Whether the places of a list's items count. */
  ordered?: boolean;
  /** Whether null tells that there is nothing; elsewhere it tells nothing. */
  toldByNull?: boolean;
}

/**
 * A live value in the form of its attribute: members under Terraform's names, a block as a list of one, numbers and
 * switches as text where the state has them so, lists in the state's order. Of a block only the members that the
 * state has are compared; a map is compared as a whole.
 */
export const mirrored: Shape = (live, declared) => mirror(live, declared, PLAIN);

/** As `mirrored`, for providers whose attributes are objects where others have blocks: none of them is a map. */
export const nested: Shape = (live, declared) => mirror(live, declared, { scalar: coerced, nested: true });

/** As `nested`, of Azure's API, where an id is the same in any case. */
export const nestedAzure: Shape = mirroredBy({ scalar: azureScalar, nested: true });

/** As `mirrored`, of Azure's API. */
export const mirroredAzure: Shape = mirroredBy({ scalar: azureScalar });

function azureScalar(live: Json, declared: Json): Json {
  const isId = typeof live === "string" && typeof declared === "string" && /^\/subscriptions\//i.test(live);
  return isId && live.toLowerCase() === declared.toLowerCase() ? declared : coerced(live, declared);
}

/** As `mirrored`, where a cloud has ways of its own to write a value. */
export function mirroredBy(style: Style): Shape {
  return (live, declared) => mirror(live, declared, style);
}

const PLAIN: Style = { scalar: coerced };

function mirror(live: Json, declared: Json, style: Style, depth = 0): Json | undefined {
  if (depth > MOST_DEPTH) return undefined;
  if (declared === null)
    return style.toldByNull && isEmptyScalar(live) ? null : undeclared(live, style, depth);
  if (Array.isArray(declared)) return mirrorList(live, declared, style, depth);
  if (!isObject(declared)) return mirrorScalar(live, declared, style);
  if (!isObject(live)) return undefined;
  return style.nested ? blockOf(live, declared, style, depth) : mapOf(live, declared, style);
}

function undeclared(live: Json, { scalar }: Style, depth: number): Json {
  return typeof live === "object" ? translated(live, depth) : scalar(live, null);
}

function mirrorScalar(live: Json, declared: Json, { scalar, toldByNull }: Style): Json | undefined {
  if (live === null) return toldByNull ? (isEmptyScalar(declared) ? declared : null) : undefined;
  return typeof live === "object" ? undefined : scalar(live, declared);
}

function mirrorList(live: Json, declared: Json[], style: Style, depth: number): Json | undefined {
  if (live === null) return [];
  if (isObject(live)) {
    const [block, ...others] = declared;
    return isObject(block) && others.length === 0 ? [blockOf(live, block, style, depth)] : undefined;
  }
  if (!Array.isArray(live) || areOfTwoKinds(live, declared)) return undefined;
  if (style.ordered) return live.map((item, index) => itemOf(item, declared[index] ?? null, style, depth));
  if (live.some(isObject) || declared.some(isObject))
    return alignedBlocks(live, declared, (item, block) => blockOf(item, block, style, depth));
  return alignedValues(valuesOf(live, declared, style), declared);
}

/** Names on one side and objects on the other: two APIs have the same list in ways of their own. */
function areOfTwoKinds(live: readonly Json[], declared: readonly Json[]): boolean {
  if (live.length === 0 || declared.length === 0) return false;
  return live.every(isObject) !== declared.every(isObject);
}

function itemOf(live: Json, declared: Json, style: Style, depth: number): Json {
  return isObject(live) ? blockOf(live, declared, style, depth) : style.scalar(live, declared);
}

function valuesOf(live: readonly Json[], declared: readonly Json[], { scalar }: Style): Json[] {
  return meant(live, declared, (item, value) => isDeepStrictEqual(scalar(item, value), value));
}

/** A block with what is live of its members; the others stay. */
function blockOf(live: Json, block: Json, style: Style, depth: number): Json {
  if (!isObject(live) || !isObject(block)) return translated(live, depth);
  const { member = mirroredMember } = style;
  const found: JsonObject = {};
  for (const [name, declared] of Object.entries(block)) {
    const value = member(live, name, declared);
    const shaped = value === undefined ? undefined : mirror(value, declared, style, depth + 1);
    found[name] = shaped === undefined ? declared : shaped;
  }
  return found;
}

/** Values of a map are of one type. */
function mapOf(live: JsonObject, declared: JsonObject, { scalar }: Style): JsonObject {
  const [some = ""] = Object.values(declared);
  return Object.fromEntries(
    Object.entries(live).map(([key, value]) => [key, scalar(value, declared[key] ?? some)]),
  );
}

/** What the state knows nothing of, under the names that it would have. */
function translated(live: Json, depth: number): Json {
  if (depth > MOST_DEPTH) return null;
  if (Array.isArray(live)) return live.map((item) => translated(item, depth + 1));
  if (!isObject(live)) return live;
  return Object.fromEntries(
    Object.entries(live).map(([name, value]) => [snakeCase(name), translated(value, depth + 1)]),
  );
}

/** A scalar as the type of another, where it can be told as one. */
export function coerced(live: Json, like: Json): Json {
  if (typeof live === typeof like || live === null || typeof live === "object") return live;
  if (typeof like === "string") return String(live);
  return typeof live === "string" ? parsed(live, typeof like) : live;
}

function parsed(text: string, type: string): Json {
  if (type === "number" && String(Number(text)) === text) return Number(text);
  if (type === "boolean" && /^(?:true|false)$/i.test(text)) return text.toLowerCase() === "true";
  return text;
}

/** What providers don't tell from nothing. */
export function isEmptyScalar(value: Json): boolean {
  return value === null || value === false || value === 0 || value === "";
}

/** As `isEmptyScalar`, or a list or an object with nothing in it. */
export function isNothing(value: Json): boolean {
  return isEmptyScalar(value) || (typeof value === "object" && Object.keys(value ?? {}).length === 0);
}
