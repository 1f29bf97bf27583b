import { isObject, type Json, type JsonObject } from "@leeway/shared/json";

/**
 * A member of a payload under its CloudFormation name, `GroupName`, which Cloud Control and the services'
 * own APIs write so and AWS Config in camel case.
 */
export function field(payload: JsonObject | undefined, name: string): Json | undefined {
  return payload?.[name] ?? payload?.[camelCase(name)];
}

/** The non-empty string at `name`. */
export function textField(payload: JsonObject | undefined, name: string): string | undefined {
  const value = field(payload, name);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The objects of the list at `name`. */
export function objects(payload: JsonObject | undefined, name: string): JsonObject[] {
  const value = field(payload, name);
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function camelCase(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** The object that `value` is, or holds as JSON in a string. */
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
