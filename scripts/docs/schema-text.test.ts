import { expect, test } from "bun:test";

import type { JsonObject } from "@leeway/shared/json";

import { schemaText, shapeOf } from "./schema-text.ts";

const told = (schema: JsonObject): string => schemaText(schema, () => undefined);

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
])("%s is how a schema of it reads", (text, schema) => {
  expect(told(schema)).toBe(text);
});

test("what may be left out is marked, and what is described is told with its description", () => {
  const properties = { id: { type: "integer" }, at: { type: "string", description: "When it was" } };
  expect(told({ type: "object", properties, required: ["id"] })).toBe(
    "{\n  id: integer\n  at?: string  // When it was\n}",
  );
});

test("a shape goes by its name wherever it is, whether it refuses further members or not", () => {
  const actor = { type: "object", properties: { id: { type: "string" } }, required: ["id"] };
  const nameOf = (schema: JsonObject) => (shapeOf(schema) === shapeOf(actor) ? "Actor" : undefined);
  const list = { type: "array", items: { ...actor, additionalProperties: false } };
  expect(schemaText(list, nameOf)).toBe("Actor[]");
});
