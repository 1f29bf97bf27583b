import { expect, test } from "bun:test";

import fc from "fast-check";

import { isObject, member, members, sameJson, text, type Json, type JsonObject } from "./json.ts";

const VALUE: JsonObject = {
  text: "x",
  empty: "",
  number: 1,
  object: { a: 1 },
  list: [{ a: 1 }, 2, null, [3]],
  none: null,
};

test("a member of the wrong type counts as absent", () => {
  expect(["text", "empty", "number", "none", "absent"].map((key) => text(VALUE, key))).toEqual([
    "x",
    ...Array.from({ length: 4 }, () => undefined),
  ]);
  expect(["object", "list", "none", "absent"].map((key) => member(VALUE, key))).toEqual([
    { a: 1 },
    undefined,
    undefined,
    undefined,
  ]);
  expect(members(VALUE, "list")).toEqual([{ a: 1 }]);
  expect(["object", "none", "absent"].flatMap((key) => members(VALUE, key))).toEqual([]);
  expect([text(undefined, "x"), member(undefined, "x"), members(undefined, "x")]).toEqual([
    undefined,
    undefined,
    [],
  ]);
});

test.each<[unknown, boolean]>([
  [{}, true],
  [[], false],
  [null, false],
  ["x", false],
  [undefined, false],
])("%p is an object: %p", (value, expected) => {
  expect(isObject(value)).toBe(expected);
});

const copyOf = (value: unknown): Json => JSON.parse(JSON.stringify(value));

test.each<[Json, Json]>([
  [{ a: 1 }, { a: 1, b: 2 }],
  [
    { a: 1, b: null },
    { a: 1, c: null },
  ],
  [
    [1, 2],
    [2, 1],
  ],
  [[], {}],
  [null, {}],
  ["1", 1],
  [JSON.parse('{"__proto__":{}}'), { a: 1 }],
  [JSON.parse('{"constructor":1}'), { a: 1 }],
])("%j and %j aren't equal", (one, other) => {
  expect([sameJson(one, other), sameJson(other, one)]).toEqual([false, false]);
});

test("equal values are the same in any member order", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (given) => {
      const [value, turned] = [copyOf(given), copyOf(Object.fromEntries(Object.entries(given).toReversed()))];
      expect(sameJson(value, turned)).toBe(true);
      expect(sameJson([value], [{ ...given, more: 1, less: 2 }].map(copyOf))).toBe(false);
    }),
  );
});
