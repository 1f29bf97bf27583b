/** Any JSON value, as returned by `JSON.parse`. */
export type Json = string | number | boolean | null | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}

/** Checks whether `value` is a JSON object: not null and not an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Checks whether two JSON values are equal, regardless of member order. Undefined stands for an absent value. */
export function sameJson(one: Json | undefined, other: Json | undefined): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Array.isArray(one)) return Array.isArray(other) && sameItems(one, other);
  return !Array.isArray(other) && sameMembers(one, other);
}

function sameItems(one: readonly Json[], other: readonly Json[]): boolean {
  return one.length === other.length && one.every((item, index) => sameJson(item, other[index]));
}

function sameMembers(one: JsonObject, other: JsonObject): boolean {
  const names = Object.keys(one);
  if (names.length !== Object.keys(other).length) return false;
  return names.every((name) => Object.hasOwn(other, name) && sameJson(one[name], other[name]));
}

/** Returns the string at `key`; undefined if it is absent, empty or of another type. */
export function text(object: JsonObject | undefined, key: string): string | undefined {
  const value = object?.[key];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Returns the object at `key`; undefined if there is none. */
export function member(object: JsonObject | undefined, key: string): JsonObject | undefined {
  const value = object?.[key];
  return isObject(value) ? value : undefined;
}

/** Returns the objects of the array at `key`; empty if it isn't an array. */
export function members(object: JsonObject | undefined, key: string): JsonObject[] {
  const value = object?.[key];
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Returns the members that are neither null nor undefined. */
export function present<T extends object>(members: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const entries = Object.entries(members).filter(([, value]) => value !== null && value !== undefined);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- members were only taken away
  return Object.fromEntries(entries) as { [K in keyof T]?: NonNullable<T[K]> };
}

/** Sets a member as data, even `__proto__`. */
export function put<T>(object: Record<string, T>, name: string, value: T): void {
  if (name !== "__proto__") object[name] = value;
  else Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}
