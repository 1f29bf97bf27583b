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
const retryAfter = (retryAfterSeconds: number) => ({ rejected: false, retryAfterSeconds });
const open = (seconds: number, trips = 1): Breaker => ({ failures: 5, trips, retryAt: at(seconds) });

test.each([
  ["no window", CLOSED, "closed"],
  ["failures but no window", { failures: 4, trips: 0 }, "closed"],
  ["an unfinished window", open(1), "open"],
  ["a window that ends now", open(0), "half_open"],
  ["a window in the past", open(-100), "half_open"],
] as const)("a breaker with %s is in the right state", (_, breaker, state) => {
  expect(breakerState(breaker, NOW)).toBe(state);
});

test.each([
  ["the fourth failure", { failures: 3, trips: 0 }, error, undefined],
  ["the fourth rejected key", { failures: 3, trips: 0 }, rejected, undefined],
  ["the fifth failure", { failures: 4, trips: 0 }, error, 60],
  ["a rejected key as the fifth failure", { failures: 4, trips: 0 }, rejected, 900],
  ["the fifth failure with a longer Retry-After", { failures: 4, trips: 0 }, retryAfter(61), 61],
  ["the fifth failure with a shorter Retry-After", { failures: 4, trips: 0 }, retryAfter(59), 60],
  [
    "the fifth failure with a Retry-After of years",
    { failures: 4, trips: 0 },
    retryAfter(999_999_999),
    86_400,
  ],
  ["a failed trial after the first window", open(-1, 1), error, 120],
  ["a failed trial after the second window", open(-1, 2), error, 240],
  ["a failed trial after the fourth window", open(-1, 4), error, 900],
  ["a failed trial after the hundredth window", open(-1, 100), error, 900],
  ["a trial with a rejected key", open(-1, 1), rejected, 900],
  ["a late failure while open", open(30), error, 30],
  ["a late rejection while open", open(30), rejected, 30],
] as const)("%s gives the right window", (_, before, call, seconds) => {
  const after = afterFailure(before, call, NOW, 0);
  expect(after.failures).toBe(before.failures + 1);
  expect(after.retryAt).toEqual(seconds === undefined ? undefined : at(seconds));
});

test("jitter lengthens a window by at most a tenth and never shortens it", () => {
  for (const [chance, seconds] of [[0, 60] as const, [0.5, 63] as const, [1, 66] as const]) {
    expect(afterFailure({ failures: 4, trips: 0 }, error, NOW, chance).retryAt).toEqual(at(seconds));
  }
  expect(afterFailure({ failures: 4, trips: 9 }, error, NOW, 1).retryAt).toEqual(at(990));
});

describe("a half-open breaker", () => {
  test("admits one call, and others once its lease has expired", () => {
    const first = admit(open(-1), NOW);
    if (!first.admitted) throw new Error("it should be let through");
    expect(first.probing).toBe(true);
    expect(admit(first.breaker, at(1))).toEqual({ admitted: false, at: at(75) });
    expect(admit(first.breaker, at(75))).toMatchObject({ admitted: true, probing: true });
  });

  test("admits another call when the first had no outcome", () => {
    const first = admit(open(-1), NOW);
    if (!first.admitted) throw new Error("it should be let through");
    expect(admit(afterNothing(first.breaker), at(1))).toMatchObject({ admitted: true, probing: true });
  });

  test("opens again on a failure and ends the lease", () => {
    const after = afterFailure({ ...open(-1), leasedUntil: at(60) }, error, NOW, 0);
    expect(after).toEqual({ failures: 6, trips: 2, retryAt: at(120) });
  });
});

/** An event of a key, and the seconds since the previous one. */
const step = fc.record({
  seconds: fc.integer({ min: 0, max: 1_200 }),
  kind: fc.constantFrom("success", "error", "rejected", "delayed", "nothing"),
  chance: fc.double({ min: 0, max: 1, noNaN: true }),
});

const CALLS: Record<string, FailedCall> = { error, rejected, delayed: retryAfter(600) };

function after(breaker: Breaker, kind: string, now: Date, chance: number): Breaker {
  const call = CALLS[kind];
  if (call) return afterFailure(breaker, call, now, chance);
  return kind === "success" ? CLOSED : afterNothing(breaker);
}

test("a breaker opens only after five failures in a row, and always half-opens later", () => {
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
