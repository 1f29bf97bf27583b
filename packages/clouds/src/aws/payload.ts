import { isObject, type Json, type JsonObject } from "@leeway/shared/values/json";

/**
 * Returns a payload's member by its CloudFormation name, such as `GroupName`. Cloud Control and the services' own APIs
 * use this name; AWS Config uses camel case.
 */
export function field(payload: JsonObject | undefined, name: string): Json | undefined {
  return payload?.[name] ?? payload?.[camelCase(name)];
}

/** Returns the non-empty string at `name`. */
export function textField(payload: JsonObject | undefined, name: string): string | undefined {
  const value = field(payload, name);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Returns the objects of the list at `name`. */
export function objects(payload: JsonObject | undefined, name: string): JsonObject[] {
  const value = field(payload, name);
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function camelCase(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** Returns `value` if it is an object, or the object that it contains as JSON text. */
export function parseObject(value: Json | undefined): JsonObject | undefined {
  if (isObject(value)) return value;
  if (typeof value !== "string") return undefined;
  try {
    const parsed: unknown = JSON.parse(value);
    return isObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}
