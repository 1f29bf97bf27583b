import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import {
  admit,
  afterFailure,
  afterNothing,
  breakerState,
  CLOSED,
  type Breaker,
  type FailedCall,
} from "./breaker.ts";

const NOW = new Date("2026-11-21T12:00:00Z");
const at = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1000);
const error = { rejected: false, retryAfterSeconds: undefined };
const rejected = { rejected: true, retryAfterSeconds: undefined };
const wishing = (retryAfterSeconds: number) => ({ rejected: false, retryAfterSeconds });
const open = (seconds: number, trips = 1): Breaker => ({ failures: 5, trips, retryAt: at(seconds) });

test.each([
  ["no window", CLOSED, "closed"],
  ["failures but no window", { failures: 4, trips: 0 }, "closed"],
  ["a window that lasts", open(1), "open"],
  ["a window that ends now", open(0), "half_open"],
  ["a window that is over", open(-100), "half_open"],
] as const)("with %s it is in the right state", (_, breaker, state) => {
  expect(breakerState(breaker, NOW)).toBe(state);
});

test.each([
  ["the fourth failure", { failures: 3, trips: 0 }, error, undefined],
  ["the fourth rejected key", { failures: 3, trips: 0 }, rejected, undefined],
  ["the fifth failure", { failures: 4, trips: 0 }, error, 60],
  ["the fifth being a rejected key", { failures: 4, trips: 0 }, rejected, 900],
  ["the fifth with a longer wish", { failures: 4, trips: 0 }, wishing(61), 61],
  ["the fifth with a shorter wish", { failures: 4, trips: 0 }, wishing(59), 60],
  ["the fifth with a wish of years", { failures: 4, trips: 0 }, wishing(999_999_999), 86_400],
  ["a failed try after the first window", open(-1, 1), error, 120],
  ["a failed try after the second", open(-1, 2), error, 240],
  ["a failed try after the fourth", open(-1, 4), error, 900],
  ["a failed try after the hundredth", open(-1, 100), error, 900],
  ["a try that the key is rejected at", open(-1, 1), rejected, 900],
  ["a late failure while it is open", open(30), error, 30],
  ["a late rejection while it is open", open(30), rejected, 30],
] as const)("%s: the window is as long as the table says", (_, before, call, seconds) => {
  const after = afterFailure(before, call, NOW, 0);
  expect(after.failures).toBe(before.failures + 1);
  expect(after.retryAt).toEqual(seconds === undefined ? undefined : at(seconds));
});

test("chance lengthens a window by a tenth at most, and never shortens it", () => {
  for (const [chance, seconds] of [[0, 60] as const, [0.5, 63] as const, [1, 66] as const]) {
    expect(afterFailure({ failures: 4, trips: 0 }, error, NOW, chance).retryAt).toEqual(at(seconds));
  }
  expect(afterFailure({ failures: 4, trips: 9 }, error, NOW, 1).retryAt).toEqual(at(990));
});

describe("half open", () => {
  test("one call is let through, and others once its lease is over", () => {
    const first = admit(open(-1), NOW);
    if (!first.admitted) throw new Error("it should be let through");
    expect(first.probing).toBe(true);
    expect(admit(first.breaker, at(1))).toEqual({ admitted: false, at: at(75) });
    expect(admit(first.breaker, at(75))).toMatchObject({ admitted: true, probing: true });
  });

  test("another may try when the call told nothing", () => {
    const first = admit(open(-1), NOW);
    if (!first.admitted) throw new Error("it should be let through");
    expect(admit(afterNothing(first.breaker), at(1))).toMatchObject({ admitted: true, probing: true });
  });

  test("a failure gives up the lease and opens it again", () => {
    const after = afterFailure({ ...open(-1), leasedUntil: at(60) }, error, NOW, 0);
    expect(after).toEqual({ failures: 6, trips: 2, retryAt: at(120) });
  });
});

/** What happens to a key, each so many seconds after what was before. */
const step = fc.record({
  seconds: fc.integer({ min: 0, max: 1_200 }),
  kind: fc.constantFrom("success", "error", "rejected", "wish", "nothing"),
  chance: fc.double({ min: 0, max: 1, noNaN: true }),
});

const CALLS: Record<string, FailedCall> = { error, rejected, wish: wishing(600) };

function after(breaker: Breaker, kind: string, now: Date, chance: number): Breaker {
  const call = CALLS[kind];
  if (call) return afterFailure(breaker, call, now, chance);
  return kind === "success" ? CLOSED : afterNothing(breaker);
}

test("whatever happens: it opens at five in a row only, lets none through while open, and always opens up again", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let breaker = CLOSED;
      let now = NOW;
      let inARow = 0;
      for (const { seconds, kind, chance } of steps) {
        now = new Date(now.getTime() + seconds * 1000);
        const admission = admit(breaker, now);
        if (!admission.admitted) {
          expect(breakerState(breaker, now) === "open" || breaker.leasedUntil !== undefined).toBe(true);
          expect(admit(breaker, new Date(admission.at.getTime() - 1)).admitted).toBe(false);
          expect(admit(breaker, admission.at).admitted).toBe(true); // waiting exactly that long is enough
          continue;
        }
        breaker = after(admission.breaker, kind, now, chance);
        if (kind === "success") inARow = 0;
        else if (kind in CALLS) inARow += 1;
        expect(breaker.failures).toBe(inARow);
        expect(breaker.retryAt !== undefined).toBe(inARow >= 5);
        if (breakerState(breaker, now) !== "open") continue;
        expect(Number(breaker.retryAt) - Number(now)).toBeWithin(60_000, 990_001);
      }
    }),
    { numRuns: 2_000 },
  );
});
