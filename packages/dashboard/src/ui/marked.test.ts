import { expect, test } from "bun:test";
import fc from "fast-check";

import { marked, type Piece } from "./marked.ts";

const shown = (pieces: Piece[]) => pieces.map(({ text, differs }) => (differs ? `[${text}]` : text)).join("");

const whole = (pieces: Piece[]) => pieces.map(({ text }) => text).join("");
const kept = (pieces: Piece[]) => whole(pieces.filter(({ differs }) => !differs));
const long = (word: string) => Array.from({ length: 20_000 }, (_, n) => `${word}${n}`).join(" ");

test.each([
  ["t3.micro", "t3.large", "t3.[micro]", "t3.[large]"],
  ["same", "same", "same", "same"],
  ["x, a, y, b, z", "1, a, 2, b, 3", "[x], a, [y], b, [z]", "[1], a, [2], b, [3]"],
  ["", "new", "", "[new]"],
  ['["a","b"]', '["b"]', '["[a","]b"]', '["b"]'],
])("marks only the differences between %j and %j", (before, after, old, fresh) => {
  const found = marked(before, after);
  expect([shown(found.before), shown(found.after)]).toEqual([old, fresh]);
});

test("keeps all text, and unmarked parts are equal on both sides", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("a", "b", " ", ".", "ü", "\n") }),
      fc.string({ unit: fc.constantFrom("a", "b", " ", ".") }),
      (before, after) => {
        const found = marked(before, after);
        expect([whole(found.before), whole(found.after)]).toEqual([before, after]);
        expect(kept(found.before)).toBe(kept(found.after));
      },
    ),
  );
});

test("compares long texts quickly", () => {
  marked(long("a"), long("b"));
});
