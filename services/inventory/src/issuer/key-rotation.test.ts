import { expect, test } from "bun:test";

import fc from "fast-check";

import { keyRotation } from "./key-rotation.ts";

const NOW = new Date("2026-11-21T12:00:00Z");
const daysOld = (days: number) => ({
  id: days,
  createdAt: new Date(NOW.getTime() - days * 24 * 60 * 60 * 1000),
});

test.each([
  [[], undefined, true, []],
  [[0], 0, false, []],
  [[59.9], 59.9, false, []],
  [[60], 60, true, []],
  [[400], 400, true, []],
  [[0, 60], 60, false, []],
  [[6.9, 66.9], 66.9, false, []],
  [[7, 67], 7, false, []],
  [[7.9, 67.9], 7.9, false, []],
  [[8, 68], 8, false, [68]],
  [[1, 61, 121], 61, false, [121]],
  [[0, 0.5], 0.5, false, []],
])("of keys %j days old, %p signs; another is due: %p; spent: %j", (ages, signs, isDue, spent) => {
  const rotation = keyRotation(ages.map(daysOld), NOW);
  expect(rotation.signs?.id).toBe(signs);
  expect(rotation.isDue).toBe(isDue);
  expect(rotation.spent.map(({ id }) => id)).toEqual(spent);
});

const DAY_MS = 24 * 60 * 60 * 1000;

test("the key of a token is published all the day before it was signed, and the day after", () => {
  const pauses = fc.array(fc.double({ min: 0.01, max: 0.5, noNaN: true }), {
    minLength: 300,
    maxLength: 900,
  });
  fc.assert(
    fc.property(pauses, (days) => {
      let now = NOW.getTime();
      let keys: { id: number; createdAt: Date }[] = [];
      const history: { at: number; published: number[]; signs: number }[] = [];
      for (const pause of days) {
        now += pause * DAY_MS;
        const { isDue, spent } = keyRotation(keys, new Date(now));
        keys = keys.filter((key) => !spent.includes(key));
        if (isDue) keys.push({ id: now, createdAt: new Date(now) });
        const signs = keyRotation(keys, new Date(now)).signs?.id ?? 0;
        history.push({ at: now, published: keys.map(({ id }) => id), signs });
      }
      for (const [place, { at, signs }] of history.entries()) {
        const near = history.slice(Math.max(0, place - 100), place + 100);
        const sameDay = near.filter((seen) => Math.abs(seen.at - at) < DAY_MS);
        expect(sameDay.every(({ published }) => published.includes(signs))).toBe(true);
      }
    }),
    { numRuns: 30 },
  );
});
