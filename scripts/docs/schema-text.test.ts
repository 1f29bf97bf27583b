import { expect, test } from "bun:test";

import type { JsonObject } from "@leeway/shared/values/json";

import { schemaText, shapeOf } from "./schema-text.ts";

const textOf = (schema: JsonObject): string => schemaText(schema, () => undefined);

test.each<[string, JsonObject]>([
  ["uuid", { type: "string", format: "uuid" }],
  ["string(1..200)", { type: "string", minLength: 1, maxLength: 200 }],
  ["integer(-1..)", { type: "integer", minimum: -1 }],
  ["any JSON", {}],
  ['"free" | "team"', { type: "string", enum: ["free", "team"] }],
  ["uuid | null", { anyOf: [{ type: "string", format: "uuid" }, { type: "null" }] }],
  ['("a" | "b")[](..2)', { type: "array", maxItems: 2, items: { type: "string", enum: ["a", "b"] } }],
  ["Record<string, boolean>", { type: "object", patternProperties: { "^": { type: "boolean" } } }],
  ["{}", { type: "object", properties: {} }],
])("a schema is shown as %s", (text, schema) => {
  expect(textOf(schema)).toBe(text);
});

test("optional properties are marked, and descriptions are included", () => {
  const properties = { id: { type: "integer" }, at: { type: "string", description: "When it was" } };
  expect(textOf({ type: "object", properties, required: ["id"] })).toBe(
    "{\n  id: integer\n  at?: string  // When it was\n}",
  );
});

test("a known shape is shown by name, whether or not it allows more members", () => {
  const actor = { type: "object", properties: { id: { type: "string" } }, required: ["id"] };
  const nameOf = (schema: JsonObject) => (shapeOf(schema) === shapeOf(actor) ? "Actor" : undefined);
  const list = { type: "array", items: { ...actor, additionalProperties: false } };
  expect(schemaText(list, nameOf)).toBe("Actor[]");
});
