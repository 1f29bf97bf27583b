import { isObject, type Json, type JsonObject, sameJson } from "@leeway/shared/values/json";

import { alignedBlocks, alignedValues, meant } from "./aligned.ts";
import { mirroredMember } from "./live-path.ts";
import type { Shape } from "./mapping.ts";
import { snakeCase } from "./names.ts";

/** Max nesting depth; no resource is deeper. */
const MAX_DEPTH = 40;

/** Returns the member of a cloud's object that an attribute mirrors. */
export type Member = (live: Json | undefined, name: string, declared: Json) => Json | undefined;

/** Returns the shape of an attribute in a block; undefined if it is compared like the others. */
export type Inside = (name: string) => Shape | undefined;

/** Conversion of a cloud's values to a state's. */
interface Style {
  /** Converts a scalar to the state's notation; returns `declared` if it means the same. */
  scalar: (live: Json, declared: Json) => Json;
  /** Finds the member for a block's attribute; defaults to `mirroredMember`. */
  member?: Member;
  inside?: Inside;
  /** Whether objects are blocks. Otherwise they are maps, in which every key counts. */
  nested?: boolean;
  /** Whether the order of a list's items counts. */
  ordered?: boolean;
  /** Whether null means empty. Otherwise null means nothing. */
  nullIsEmpty?: boolean;
}

/**
 * Converts a live value to the form of its attribute. Members get Terraform's names, and a block becomes a list of one.
 * Numbers and switches become text if the state has text; lists get the state's order. In a block, only members in the
 * state are compared; a map is compared completely.
 */
export const mirrored: Shape = (live, declared) => mirror(live, declared, PLAIN);

/** Compares like `mirrored`, for providers that write objects instead of blocks and have no maps. */
export const nested: Shape = (live, declared) => mirror(live, declared, { scalar: coerced, nested: true });

/** Compares like `nested`, for Azure's API, where ids are case-insensitive. */
export const nestedAzure: Shape = mirroredBy({ scalar: azureScalar, nested: true });

/** Compares like `mirrored`, for Azure's API. */
export const mirroredAzure: Shape = mirroredBy({ scalar: azureScalar });

function azureScalar(live: Json, declared: Json): Json {
  const isId = typeof live === "string" && typeof declared === "string" && /^\/subscriptions\//i.test(live);
  return isId && live.toLowerCase() === declared.toLowerCase() ? declared : coerced(live, declared);
}

/** Returns a shape like `mirrored` for a cloud with its own notation of values. */
export function mirroredBy(style: Style): Shape {
  return (live, declared) => mirror(live, declared, style);
}

const PLAIN: Style = { scalar: coerced };

function mirror(live: Json, declared: Json, style: Style, depth = 0): Json | undefined {
  if (depth > MAX_DEPTH) return undefined;
  if (declared === null)
    return style.nullIsEmpty && isEmptyScalar(live) ? null : undeclared(live, style, depth);
  if (Array.isArray(declared)) return mirrorList(live, declared, style, depth);
  if (!isObject(declared)) return mirrorScalar(live, declared, style);
  if (!isObject(live)) return undefined;
  return style.nested ? blockOf(live, declared, style, depth) : mapOf(live, declared, style);
}

function undeclared(live: Json, { scalar }: Style, depth: number): Json {
  return typeof live === "object" ? translated(live, depth) : scalar(live, null);
}

function mirrorScalar(live: Json, declared: Json, { scalar, nullIsEmpty }: Style): Json | undefined {
  if (live === null) return nullIsEmpty ? (isEmptyScalar(declared) ? declared : null) : undefined;
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

/** Reports whether one side has names and the other objects: two APIs may write the same list differently. */
function areOfTwoKinds(live: readonly Json[], declared: readonly Json[]): boolean {
  if (live.length === 0 || declared.length === 0) return false;
  return live.every(isObject) !== declared.every(isObject);
}

function itemOf(live: Json, declared: Json, style: Style, depth: number): Json {
  return isObject(live) ? blockOf(live, declared, style, depth) : style.scalar(live, declared);
}

function valuesOf(live: readonly Json[], declared: readonly Json[], { scalar }: Style): Json[] {
  return meant(live, declared, (item, value) => sameJson(scalar(item, value), value));
}

/** Returns a block with the live values of its members; other members stay as declared. */
function blockOf(live: Json, block: Json, style: Style, depth: number): Json {
  if (!isObject(live) || !isObject(block)) return translated(live, depth);
  const { member = mirroredMember, inside } = style;
  const found: JsonObject = {};
  for (const [name, declared] of Object.entries(block)) {
    const value = member(live, name, declared);
    const shape = inside?.(name) ?? ((one: Json) => mirror(one, declared, style, depth + 1));
    const shaped = value === undefined ? undefined : shape(value, declared);
    found[name] = shaped === undefined ? declared : shaped;
  }
  return found;
}

/** Converts a map, whose values all have the same type. */
function mapOf(live: JsonObject, declared: JsonObject, { scalar }: Style): JsonObject {
  const [some = ""] = Object.values(declared);
  return Object.fromEntries(
    Object.entries(live).map(([key, value]) => [key, scalar(value, declared[key] ?? some)]),
  );
}

/** Converts a value without a declaration to Terraform's names. */
export function translated(live: Json, depth = 0): Json {
  if (depth > MAX_DEPTH) return null;
  if (Array.isArray(live)) return live.map((item) => translated(item, depth + 1));
  if (!isObject(live)) return live;
  return Object.fromEntries(
    Object.entries(live).map(([name, value]) => [snakeCase(name), translated(value, depth + 1)]),
  );
}

/** Converts a scalar to another's type, if possible. */
export function coerced(live: Json, like: Json): Json {
  if (typeof live === typeof like || live === null || typeof live === "object") return live;
  // A text that nobody set is empty, also where the cloud has a switch or number.
  if (typeof like === "string") return like === "" && isEmptyScalar(live) ? like : String(live);
  return typeof live === "string" ? parsed(live, typeof like) : live;
}

function parsed(text: string, type: string): Json {
  if (type === "number" && (text === "" || String(Number(text)) === text)) return Number(text);
  if (type === "boolean" && /^(?:true|false)$/i.test(text)) return text.toLowerCase() === "true";
  return text;
}

/** Reports whether providers treat a value like null. */
export function isEmptyScalar(value: Json): boolean {
  return value === null || value === false || value === 0 || value === "";
}

/** Reports the same, also for an empty list or object. */
export function isNothing(value: Json): boolean {
  return isEmptyScalar(value) || (typeof value === "object" && Object.keys(value ?? {}).length === 0);
}
