import { expect, test } from "bun:test";

import { CLIENT_TYPES_FILE, clientTypes, typeText } from "../../scripts/docs/client-types.ts";
import { closedSets } from "../../scripts/docs/closed-sets.ts";
import { read } from "./repository.ts";

test("the dashboard's types match docs/openapi.json (run `bun run docs`)", async () => {
  const types = clientTypes(JSON.parse(await read("docs/openapi.json")));
  expect((await Bun.file(CLIENT_TYPES_FILE).text()) === types).toBe(true);
});

test("the dashboard's closed sets equal those of the contracts (run `bun run docs`)", async () => {
  for (const [path, text] of closedSets()) expect((await Bun.file(path).text()) === text).toBe(true);
});

test.each([
  [{ type: "string" }, "string"],
  [{ type: "integer", minimum: 1 }, "number"],
  [{ type: "string", enum: ["a", "b"] }, '"a" | "b"'],
  [{ const: "total_count" }, '"total_count"'],
  [{ type: "array", items: { enum: ["a", "b"] } }, '("a" | "b")[]'],
  [{ $ref: "#/components/schemas/Scan" }, "Scan"],
  [{ anyOf: [{ type: "string" }, { type: "null" }] }, "string | null"],
  [
    { type: "object", required: ["a"], properties: { a: { type: "boolean" }, "b-c": {} } },
    '{ "a": boolean; "b-c"?: unknown }',
  ],
  [{ type: "object", patternProperties: { ".*": { type: "number" } } }, "Record<string, number>"],
])("the schema %j becomes the type %s", (schema, type) => expect(typeText(schema)).toBe(type));
