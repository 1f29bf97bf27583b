import { expect, test } from "bun:test";
import fc from "fast-check";

import { lengthOf } from "./attribute-values.ts";

test.each<[text: string, seconds: number]>([
  ["90d", 7_776_000],
  ["1h30m", 5_400],
  ["604800s", 604_800],
  ["0.5s", 0.5],
  ["P14D", 1_209_600],
  ["PT1M", 60],
  ["P1DT12H", 129_600],
  ["30", 30],
])("%s is %d long", (text, seconds) => {
  expect(lengthOf(text)).toBe(seconds);
});

test.each(["P1M", "P", "T", "", "never", "90 days", "7d!", "d"])("%j has no known length", (text) => {
  expect(lengthOf(text)).toBeNaN();
});

test("a number stands for itself, and more of a unit is longer", () => {
  fc.assert(
    fc.property(
      fc.nat(),
      fc.nat({ max: 1e6 }),
      fc.constantFrom("w", "d", "h", "m", "s"),
      (one, more, unit) => {
        expect(lengthOf(one)).toBe(one);
        expect(lengthOf(`${more + 1}${unit}`)).toBeGreaterThan(lengthOf(`${more}${unit}`));
      },
    ),
  );
});
