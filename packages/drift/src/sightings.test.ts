import fc from "fast-check";
import { expect, test } from "bun:test";

import { kindOf, sightingsOf } from "./sightings.ts";

const answer = (kind: string, ...names: string[]) => ({ kind, names: new Set(names) });
const NAMES = ["a", "b", "c", "d", "e", "f", "g", "h"];

test("an attribute of an earlier answer that is missing is gone, and stays gone", () => {
  const first = sightingsOf(undefined, answer("read", ...NAMES));
  expect(first.gone).toEqual([]);
  const second = sightingsOf(first.text, answer("read", ...NAMES.slice(1)));
  expect(second.gone).toEqual(["a"]);
  const third = sightingsOf(second.text, answer("read", ...NAMES.slice(2)));
  expect(third.gone).toEqual(["a", "b"]);
  expect(sightingsOf(third.text, answer("read", ...NAMES)).gone).toEqual([]);
});

test("an answer of another kind says nothing about earlier attributes", () => {
  const listed = sightingsOf(undefined, answer("listed", ...NAMES));
  const read = sightingsOf(listed.text, answer("read", "a", "b"));
  expect(read).toEqual({ text: "read a b", gone: [] });
});

test("nothing is gone that was never there, and never more than a quarter", () => {
  const names = fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 1 });
  fc.assert(
    fc.property(fc.array(names, { minLength: 1, maxLength: 5 }), names, (answers, last) => {
      const all = new Set(answers.flat());
      const text = answers.reduce<string | undefined>(
        (seen, one) => sightingsOf(seen, answer("read", ...one)).text,
        undefined,
      );
      const { gone } = sightingsOf(text, answer("read", ...last));
      expect(gone.filter((name) => !all.has(name) || last.includes(name))).toEqual([]);
      expect(gone.length).toBeLessThanOrEqual(Math.max(1, all.size / 4));
    }),
  );
});

test("Cloud Control's and AWS Config's spelling are two kinds of answers, and so are lists and reads", () => {
  const kinds = [
    kindOf({ KmsKeyArn: "" }, true),
    kindOf({ kmsKeyArn: "" }, true),
    kindOf({ KmsKeyArn: "" }, false),
  ];
  expect(new Set(kinds).size).toBe(3);
});
