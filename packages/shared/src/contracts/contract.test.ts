import { describe, expect, test } from "bun:test";

import { Type as t } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import fc from "fast-check";

import { defineEvent, defineRequest, isUuid, strict, words } from "./contract.ts";
import { Timestamp, Uuid } from "./common.ts";

describe("a strict schema", () => {
  test("refuses unknown members at every level", () => {
    const schema = strict(
      t.Object({ a: t.Optional(t.Array(t.Union([t.Object({ b: t.Optional(t.Object({})) }), t.Null()]))) }),
    );
    expect(Value.Check(schema, { a: [{ b: {} }, null] })).toBe(true);
    for (const wrong of [{ x: 1 }, { a: [{ x: 1 }] }, { a: [{ b: { x: 1 } }] }, { a: [{}], __proto__x: 1 }])
      expect(Value.Check(schema, wrong)).toBe(false);
    expect(Value.Check(schema, JSON.parse('{"__proto__": 1}'))).toBe(false);
  });

  test("doesn't change objects that set additionalProperties themselves", () => {
    const open = strict(t.Object({ any: t.Object({}, { additionalProperties: true }) }));
    expect(Value.Check(open, { any: { x: 1 } })).toBe(true);
    const map = strict(t.Object({ labels: t.Record(t.String(), t.Object({})) }));
    expect(Value.Check(map, { labels: { x: {} } })).toBe(true);
    expect(Value.Check(map, { labels: { x: { y: 1 } } })).toBe(false);
  });

  test("doesn't change the original schema", () => {
    const schema = t.Object({ a: t.Object({}) });
    strict(schema);
    expect(Value.Check(schema, { a: {}, b: 1 })).toBe(true);
  });

  test("can be a composite but not an intersection", () => {
    const parts = [t.Object({ a: t.Integer() }), t.Object({ b: t.Integer() })] as const;
    expect(Value.Check(strict(t.Composite([...parts])), { a: 1, b: 2 })).toBe(true);
    expect(Value.Check(strict(t.Composite([...parts])), { a: 1, b: 2, c: 3 })).toBe(false);
    expect(() => strict(t.Object({ x: t.Intersect([...parts]) }))).toThrow("use Type.Composite");
  });

  test("is used for requests and events", () => {
    const request = defineRequest("a.b.c", { input: t.Object({}), output: t.Object({ x: t.Object({}) }) });
    expect(Value.Check(request.input, { x: 1 })).toBe(false);
    expect(Value.Check(request.output, { x: { y: 1 } })).toBe(true);
    const event = defineEvent("a.b.done", { stream: "A", payload: t.Object({}) });
    expect(Value.Check(event.payload, { x: 1 })).toBe(false);
  });
});

test("a closed set of words accepts only those words", () => {
  const schema = words(["a", "b"]);
  expect(["a", "b", "c", "", 1, null, ["a"], "toString"].map((value) => Value.Check(schema, value))).toEqual([
    true,
    true,
    ...Array.from({ length: 6 }, () => false),
  ]);
});

describe("a UUID", () => {
  test("may have any version and case", () => {
    fc.assert(fc.property(fc.uuid(), (id) => isUuid(id) && isUuid(id.toUpperCase())));
  });

  test.each(["", "x", "6f4d9a57-6d0c-4a0a-8a1e-2f3b1c7d9e1", "{6f4d9a57-6d0c-4a0a-8a1e-2f3b1c7d9e10}"])(
    "isn't %p",
    (value) => {
      expect(isUuid(value)).toBe(false);
      expect(isUuid(`6f4d9a57-6d0c-4a0a-8a1e-2f3b1c7d9e10\n${value}`)).toBe(false);
      expect(Value.Check(Uuid, value)).toBe(false);
    },
  );
});

describe("a timestamp", () => {
  test("is printed by Date", () => {
    fc.assert(
      fc.property(fc.date({ noInvalidDate: true, min: new Date(0), max: new Date("9999-12-31") }), (date) =>
        Value.Check(Timestamp, date.toISOString()),
      ),
    );
  });

  test.each([
    ["2026-02-28T00:00:00Z", true],
    ["2024-02-29T23:59:59.999999999+14:00", true],
    ["0001-01-01T00:00:00Z", true],
    ["0000-12-31T00:00:00Z", false],
    ["0001-01-01T00:00:00+23:59", false],
    ["9999-12-31T23:59:59.999999999Z", true],
    ["9999-12-31T23:59:59-00:01", false],
    ["2026-02-29T00:00:00Z", false],
    ["2026-04-31T00:00:00Z", false],
    ["2026-13-01T00:00:00Z", false],
    ["2026-00-01T00:00:00Z", false],
    ["2026-01-01T24:00:00Z", false],
    ["2026-01-01T00:60:00Z", false],
    ["2026-01-01T00:00:00", false],
    ["2026-01-01", false],
    ["2026-01-01T00:00:00Z\n", false],
    ["now", false],
    ["", false],
  ])("%p: %p", (value, expected) => {
    expect(Value.Check(Timestamp, value)).toBe(expected);
  });
});
