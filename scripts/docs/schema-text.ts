import { isObject, type Json, type JsonObject, member, text } from "@leeway/shared/values/json";

/** Returns the name of a schema that is documented separately, or undefined. */
export type NameOf = (schema: JsonObject) => string | undefined;

/** Returns the same text for all schemas that accept the same members, whether or not their objects are closed. */
export function shapeOf(schema: JsonObject): string {
  return JSON.stringify(schema, (key, value: unknown) =>
    key === "additionalProperties" ? undefined : value,
  );
}

/** Returns a schema in TypeScript notation, with bounds after types. Named schemas appear by name. */
export function schemaText(schema: JsonObject, nameOf: NameOf, indent = ""): string {
  return nameOf(schema) ?? shapeText(schema, nameOf, indent);
}

/** Returns the same notation, but expands the schema itself even if it has a name. */
export function shapeText(schema: JsonObject, nameOf: NameOf, indent = ""): string {
  if (Array.isArray(schema["anyOf"])) {
    const parts = schema["anyOf"].filter(isObject).map((part) => schemaText(part, nameOf, indent));
    return parts.join(" | ");
  }
  if ("const" in schema) return JSON.stringify(schema["const"]);
  if (Array.isArray(schema["enum"])) return schema["enum"].map((word) => JSON.stringify(word)).join(" | ");
  const type = text(schema, "type");
  if (type === "object") return objectText(schema, nameOf, indent);
  if (type === "array") return arrayText(schema, nameOf, indent);
  return scalarText(schema, type);
}

function scalarText(schema: JsonObject, type: string | undefined): string {
  if (type === undefined) return "any JSON";
  if (type !== "string") return bounded(type, schema["minimum"], schema["maximum"]);
  return text(schema, "format") ?? bounded(type, schema["minLength"], schema["maxLength"]);
}

function objectText(schema: JsonObject, nameOf: NameOf, indent: string): string {
  const values = Object.values(member(schema, "patternProperties") ?? {}).find(isObject);
  if (values) return `Record<string, ${schemaText(values, nameOf, indent)}>`;
  const properties = Object.entries(member(schema, "properties") ?? {});
  if (properties.length === 0) return "{}";
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  const lines = properties.map(([key, value]) => {
    const one = isObject(value) ? value : {};
    const described = text(one, "description");
    const mark = required.includes(key) ? "" : "?";
    const comment = described === undefined ? "" : `  // ${described}`;
    return `${indent}  ${key}${mark}: ${schemaText(one, nameOf, `${indent}  `)}${comment}\n`;
  });
  return `{\n${lines.join("")}${indent}}`;
}

function arrayText(schema: JsonObject, nameOf: NameOf, indent: string): string {
  const items = schemaText(member(schema, "items") ?? {}, nameOf, indent);
  const list = items.includes(" ") && !items.startsWith("{") ? `(${items})[]` : `${items}[]`;
  return bounded(list, schema["minItems"], schema["maxItems"]);
}

/** Adds bounds, as in `string(1..200)`: the length of texts and lists, the value of numbers. */
function bounded(type: string, least: Json | undefined, most: Json | undefined): string {
  if (least === undefined && most === undefined) return type;
  return `${type}(${shown(least)}..${shown(most)})`;
}

function shown(bound: Json | undefined): string {
  return bound === undefined ? "" : JSON.stringify(bound);
}
