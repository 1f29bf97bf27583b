import { expect, test } from "bun:test";

import { isObject, member, members, text, type JsonObject } from "./json.ts";

const VALUE: JsonObject = {
  text: "x",
  empty: "",
  number: 1,
  object: { a: 1 },
  list: [{ a: 1 }, 2, null, [3]],
  none: null,
};

test("a member is read as what it should be, or it isn't there", () => {
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
