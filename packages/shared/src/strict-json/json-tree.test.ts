import { expect, test } from "bun:test";

import fc from "fast-check";

import { parseTree, syntaxFault, type JsonTree } from "./json-tree.ts";

test("the tree of a text says what the text says", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(valueOf(parseTree(JSON.stringify(value)))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

function valueOf(tree: JsonTree): unknown {
  if ("scalar" in tree) return tree.scalar;
  if ("items" in tree) return tree.items.map(valueOf);
  const object = {};
  for (const [name, value] of tree.members) {
    Object.defineProperty(object, name, { value: valueOf(value), enumerable: true, configurable: true });
  }
  return object;
}

test("members keep their order, whatever their names, and none is lost to a duplicate", () => {
  const tree = parseTree('{"b":1,"2":2,"__proto__":3,"1":4,"b":5}');
  expect("members" in tree && tree.members.map(([name]) => name)).toEqual(["b", "2", "__proto__", "1", "b"]);
});

test.each<[text: string, offset: number, found: string]>([
  ["", 0, ""],
  ["{", 1, ""],
  ['{"a":1,}', 7, "}"],
  ['{"a" 1}', 5, "1"],
  ["nul", 3, ""],
  ["nulx", 3, "x"],
  ["{} x", 3, "x"],
  ["[1 2]", 3, "2"],
  ['{"a":01}', 6, "1"],
  ["[1,\n 2,\n x]", 9, "x"],
  ['{"ä":ö}', 6, "ö"],
  ['"abc', 4, ""],
  ["'a'", 0, "'"],
  ["[NaN]", 1, "N"],
  ['{"a":"\u0001"}', 6, "\u0001"],
])("%j stops being JSON at %d", (text, offset, found) => {
  expect(syntaxFault(new TextEncoder().encode(text))).toEqual({ offset, found });
});

test("what JSON.parse takes has no fault, and what it refuses has one within the text", () => {
  const pieces = fc.constantFrom(
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    '"a"',
    "1",
    "-",
    "e5",
    "true",
    "null",
    " ",
    "\\",
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 8 }), (parts) => {
      const text = parts.join("");
      const fault = syntaxFault(new TextEncoder().encode(text));
      if (parses(text)) expect(fault).toBeUndefined();
      else expect(fault?.offset).toBeWithin(0, text.length + 1);
    }),
    { numRuns: 2_000 },
  );
});

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
