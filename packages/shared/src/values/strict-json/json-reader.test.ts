import { expect, test } from "bun:test";

import fc from "fast-check";

import type { Json } from "../json.ts";
import { JsonReader } from "./json-reader.ts";
import { JsonFault } from "./syntax.ts";

const readerOf = (text: string): JsonReader => new JsonReader(new TextEncoder().encode(text));

/** Returns a value that is read part by part. */
function inParts(json: JsonReader): Json {
  if (json.isObject) return json.object(() => inParts(json));
  if (!json.isArray) return json.value();
  const items: Json[] = [];
  json.items(() => items.push(inParts(json)));
  return items;
}

/** Returns a text's value by one of the ways to read it; undefined if it is refused. */
function readBy(text: string, read: (json: JsonReader) => unknown): unknown {
  const json = readerOf(text);
  try {
    const value = read(json);
    json.end();
    return value;
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    expect(error.offset).toBeWithin(0, Buffer.byteLength(text) + 1);
    return undefined;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const WAYS = {
  "as a whole": (json: JsonReader) => json.value(),
  "part by part": inParts,
};
const skipped = (json: JsonReader): string => {
  json.skip();
  return "";
};

const space = fc.stringMatching(/^[ \n\r\t]{0,2}$/);
const character = fc.oneof(
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 }),
  fc.constantFrom(
    '\\"',
    "\\\\",
    "\\/",
    "\\b",
    "\\u0000",
    "\\ud83d\\ude00",
    "\\uD800",
    "\u0000",
    "\\x",
    "\\u12g4",
    "\n",
  ),
);
const quoted = fc.array(character, { maxLength: 4 }).map((all) => `"${all.join("")}"`);
const number = fc.oneof(
  fc.double().map(String),
  fc.stringMatching(/^-?(0|[1-9]\d{0,20})(\.\d{1,3})?([eE][+-]?\d{1,3})?$/),
  fc.stringMatching(/^[-+.\deE]{0,6}$/),
);
const between = (open: string, parts: fc.Arbitrary<string>, close: string): fc.Arbitrary<string> =>
  fc.array(parts, { maxLength: 4 }).map((all) => open + all.join(",") + close);
/** Texts that are JSON, or almost. Names are repeated, and sometimes escaped. */
const { text: anyText } = fc.letrec<{ text: string }>((tie) => {
  const name = fc.oneof(fc.constantFrom('"a"', '"\\u0061"', '"__proto__"', '"1"'), quoted);
  const member = fc.tuple(space, name, space, tie("text")).map(([s, n, t, v]) => `${s}${n}${t}:${v}`);
  const scalar = fc.oneof(fc.constantFrom("true", "false", "null", "tru", "nulll", ""), quoted, number);
  const value = fc.oneof(
    { depthSize: "small" },
    scalar,
    between("{", member, "}"),
    between("[", tie("text"), "]"),
  );
  return { text: fc.tuple(space, value, space).map((parts) => parts.join("")) };
});

test.each(Object.entries(WAYS))("a text read %s gives the same as JSON.parse", (_, read) => {
  fc.assert(
    fc.property(fc.oneof(anyText, fc.json()), (text) => {
      fc.pre(text.isWellFormed());
      expect(readBy(text, read)).toEqual(parsed(text));
    }),
    { numRuns: 2_000 },
  );
});

test("a text damaged at one place is refused exactly when JSON.parse refuses it", () => {
  const damage = fc.tuple(
    fc.json(),
    fc.nat(),
    fc.constantFrom(...Array.from('{}[],:"\\ 0-e.tn\u0000\u00e4'), ""),
  );
  fc.assert(
    fc.property(damage, ([json, where, by]) => {
      const at = where % json.length;
      const text = json.slice(0, at) + by + json.slice(at + 1);
      fc.pre(text.isWellFormed());
      const isJson = parsed(text) !== undefined;
      for (const read of [...Object.values(WAYS), skipped])
        expect(readBy(text, read) !== undefined).toBe(isJson);
    }),
    { numRuns: 2_000 },
  );
});

test("unread parts are skipped, and members keep their order, including duplicates", () => {
  const json = readerOf('{"b":{"x":[1]},"2":2,"__proto__":3,"\\u0031":4,"b":[5,[6],7]}');
  const names: string[] = [];
  let last: Json | undefined;
  json.members((name) => {
    names.push(name);
    if (json.isArray) json.items(() => void (json.isArray && (last = json.value())));
  });
  json.end();
  expect(names).toEqual(["b", "2", "__proto__", "1", "b"]);
  expect(last).toEqual([6]);
});

test("a byte order mark and bytes outside a buffer's slice are ignored", () => {
  const bytes = Buffer.from('x\uFEFF{"a":"ä"}x');
  expect(new JsonReader(bytes.subarray(1, -1)).value()).toEqual({ a: "ä" });
});

const nested = (depth: number): string => `${"[".repeat(depth)}1${"]".repeat(depth)}`;

test("nesting beyond 10,000 levels is refused early", () => {
  expect(() => readerOf(nested(10_000)).skip()).not.toThrow();
  expect(() => readerOf(nested(10_001)).skip()).toThrow(expect.objectContaining({ isTooDeep: true }));
});

test.each<[text: string, offset: number]>([
  ["", 0],
  ["{", 1],
  ['{"a":1,}', 7],
  ['{"a" 1}', 5],
  ["nul", 3],
  ["nulx", 3],
  ["{} x", 3],
  ["[1 2]", 3],
  ['{"a":01}', 6],
  ["[1,\n 2,\n x]", 9],
  ['{"ä":ö}', 6],
  ['"abc', 4],
  ["'a'", 0],
  ["[NaN]", 1],
  ["[1,]", 3],
  ["[1}", 2],
  ["[1.]", 3],
  ["[1e+]", 4],
  ['["\\u00g0"]', 6],
  ['{"a":"\u0001"}', 6],
])("%j is invalid JSON at offset %d", (text, offset) => {
  for (const read of [...Object.values(WAYS), skipped]) {
    const json = readerOf(text);
    expect(() => [read(json), json.end()]).toThrow(expect.objectContaining({ offset }));
  }
});
