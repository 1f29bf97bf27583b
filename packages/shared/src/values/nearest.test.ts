import { expect, test } from "bun:test";

import fc from "fast-check";

import { nearest } from "./nearest.ts";

const NAMES = ["account_id", "cursor", "kind", "limit", "match", "noise", "q"];
const FLAGS = ["--fail-on", "--format", "--fallback", "--output", "--tool"];

test.each([
  ["mtach", NAMES, "match"],
  ["MATCH", NAMES, "match"],
  ["mach", NAMES, "match"],
  ["matchs", NAMES, "match"],
  ["limt", NAMES, "limit"],
  ["account", NAMES, "account_id"],
  ["acount_id", NAMES, "account_id"],
  ["nosuch", NAMES, undefined],
  ["zz", NAMES, undefined],
  ["", NAMES, undefined],
  ["match".repeat(20), NAMES, undefined],
  ["--fial-on", FLAGS, "--fail-on"],
  ["--failon", FLAGS, "--fail-on"],
  ["--fromat", FLAGS, "--format"],
  ["--colour", FLAGS, undefined],
])("%j of %j suggests %p", (word, known, meant) => expect(nearest(word, known)).toBe(meant));

test("a word with any single edit still suggests the word", () => {
  const letter = fc.stringMatching(/^[a-p]$/);
  fc.assert(
    fc.property(fc.array(letter, { minLength: 3, maxLength: 20 }), letter, fc.nat(), (letters, other, at) => {
      const place = at % letters.length;
      const word = letters.join("");
      for (const wrong of [
        letters.toSpliced(place, 1),
        letters.toSpliced(place, 0, other),
        letters.with(place, other),
      ]) {
        expect(nearest(wrong.join(""), [word])).toBe(word);
      }
    }),
  );
});
