import { describe, expect, test } from "bun:test";

import { Type as t, type TSchema } from "@sinclair/typebox";
import fc from "fast-check";

import { strict, words } from "../contracts/contract.ts";
import { Credentials } from "../contracts/inventory/accounts.ts";
import { decode } from "./decode.ts";
import { AppError, type ErrorDetail } from "./errors.ts";

const Thing = strict(
  t.Object({
    id: t.String({ format: "uuid", errorMessage: "must be a UUID" }),
    kind: words(["a", "b"]),
    count: t.Optional(t.Integer({ minimum: 1, maximum: 5 })),
    inner: t.Optional(t.Object({ tags: t.Array(t.String({ maxLength: 3 })) })),
  }),
);
const RIGHT = { id: "6f4d9a57-6d0c-4a0a-8a1e-2f3b1c7d9e10", kind: "a" } as const;

function problems(schema: TSchema, value: unknown): ErrorDetail[] {
  try {
    decode(schema, value);
  } catch (error) {
    if (error instanceof AppError && error.code === "invalid_parameter") return error.details ?? [];
    throw error;
  }
  return [];
}

describe("an input", () => {
  test("that is valid is returned unchanged", () => {
    const value = { ...RIGHT, count: 5, inner: { tags: ["x"] } };
    expect(decode(Thing, value)).toBe(value);
  });

  test.each<[string, unknown, ErrorDetail]>([
    ["lacks a field", { kind: "a" }, { field: "id", code: "required", message: "is required" }],
    [
      "has an unknown field",
      { ...RIGHT, more: 1 },
      { field: "more", code: "unknown", message: "isn't a known field" },
    ],
    [
      "has a nested unknown field",
      { ...RIGHT, inner: { tags: [], "a/b~c": 1 } },
      { field: "inner.a/b~c", code: "unknown", message: "isn't a known field" },
    ],
    [
      "has an invalid format",
      { ...RIGHT, id: "x" },
      { field: "id", code: "invalid", message: "must be a UUID" },
    ],
    [
      "has an unknown enum value",
      { ...RIGHT, kind: "c" },
      { field: "kind", code: "invalid", message: "must be one of a, b" },
    ],
    [
      "has a number over the maximum",
      { ...RIGHT, count: 6 },
      { field: "count", code: "invalid", message: "must be a whole number of at most 5" },
    ],
    [
      "has an invalid item",
      { ...RIGHT, inner: { tags: ["ok", "long"] } },
      {
        field: "inner.tags.1",
        code: "invalid",
        message: "must have at most 3 characters",
      },
    ],
    ["isn't an object", [], { field: "body", code: "invalid", message: "must be an object" }],
    ["is undefined", undefined, { field: "body", code: "invalid", message: "must be an object" }],
    ["is null", null, { field: "body", code: "invalid", message: "must be an object" }],
  ])("that %s gets that error", (_, value, detail) => {
    expect(problems(Thing, value)).toContainEqual(detail);
  });

  test.each<[string, TSchema, unknown]>([
    ["must not be empty", t.String({ minLength: 1 }), ""],
    ["must have at least 2 characters", t.String({ minLength: 2 }), "a"],
    ["must be a string", t.String({ minLength: 1 }), 1],
    ["has an invalid format", t.String({ pattern: String.raw`^\S+$` }), "a b"],
    ["must be a whole number", t.Integer(), 1.5],
    ["must be a whole number of at least 1", t.Integer({ minimum: 1 }), 0],
    ["must be a number of at most 1", t.Number({ maximum: 1 }), 2],
    ["must be true or false", t.Boolean(), "yes"],
    ["must be an array", t.Array(t.String()), {}],
    ["must have at least 1 item", t.Array(t.String(), { minItems: 1 }), []],
    ["must have at most 2 items", t.Array(t.String(), { maxItems: 2 }), ["a", "b", "c"]],
    ["must not contain duplicates", t.Array(t.String(), { uniqueItems: true }), ["a", "a"]],
    ["must have at least 1 field", t.Partial(t.Object({ a: t.String() }), { minProperties: 1 }), {}],
    ["must be null", t.Null(), 1],
    ["must be plan", t.Literal("plan"), "apply"],
  ])("has the error: %s", (message, schema, value) => {
    expect(problems(schema, value)).toEqual([{ field: "body", code: "invalid", message }]);
  });

  test("reports all invalid fields at once, but at most twenty", () => {
    const fields = problems(Thing, { kind: "c", count: 0 }).map(({ field }) => field);
    expect(fields.toSorted()).toEqual(["count", "id", "kind"]);
    const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`x${index}`, 1]));
    expect(problems(Thing, { ...RIGHT, ...many })).toHaveLength(20);
  });

  test("with a megabyte as a field name gets a shortened error", () => {
    const [detail] = problems(Thing, { ...RIGHT, ["x".repeat(1 << 20)]: 1 });
    expect(detail?.field).toBe("x".repeat(200));
  });

  test("in a union is checked against the variant named by its kind", () => {
    expect(problems(Credentials, { kind: "aws_role" })).toEqual([
      { field: "role_arn", code: "required", message: "is required" },
    ]);
    const strictly = strict(t.Object({ credentials: Credentials }));
    expect(
      problems(strictly, { credentials: { kind: "aws_role", role_arn: "arn", secret_key: "x" } }),
    ).toEqual([{ field: "credentials.secret_key", code: "unknown", message: "isn't a known field" }]);
    expect(problems(strictly, { credentials: { kind: "magic" } })).toEqual([
      {
        field: "credentials.kind",
        code: "invalid",
        message: "must be one of aws_role, gcp_wif, azure_federated, static",
      },
    ]);
  });

  test("that may be null is checked against its other variant", () => {
    const schema = t.Object({ window: t.Union([t.Object({ start: t.String() }), t.Null()]) });
    expect(problems(schema, { window: {} })).toEqual([
      { field: "window.start", code: "required", message: "is required" },
    ]);
    expect(problems(schema, { window: null })).toEqual([]);
  });

  test("never appears in its own error", () => {
    const canary = "Canary7hunter2";
    const values = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        fc.constant(canary),
        fc.constant(RIGHT),
        fc.integer(),
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom("id", "kind", "count", "inner", "tags", "x"), tie("value")),
      ),
    })).value;
    fc.assert(
      fc.property(values, (value) => {
        expect(JSON.stringify(problems(Thing, value))).not.toContain(canary);
      }),
    );
  });

  test("of any kind is either valid or gets an error", () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true }), (value) => {
        for (const schema of [Thing, Credentials])
          expect(problems(schema, value).every(({ message }) => message !== "")).toBe(true);
      }),
    );
  });
});
