import type { BREAKER_STATES } from "@leeway/shared/contracts/quota/llm-config";
import { present } from "@leeway/shared/json";

const FAILURES_TO_OPEN = 5;
const FIRST_WINDOW_MS = 60_000;
const LONGEST_WINDOW_MS = 15 * 60_000;
/** A provider's own wish is granted up to here. */
const LONGEST_WISH_MS = 24 * 60 * 60_000;
const MOST_JITTER = 0.1;
/** Longer than a call may take: a prober that died gives up its lease. */
const LEASE_MS = 75_000;

/** What is known of a key's last calls; it is shut off while `now` is before `retryAt`. */
export interface Breaker {
  /** Failures since the last success. */
  failures: number;
  /** How often it has opened since the last success. */
  trips: number;
  /** Until when it is open; absent while it is closed. */
  retryAt?: Date;
  /** Until when one call has the right to try whether the key works again. */
  leasedUntil?: Date;
}

export const CLOSED: Breaker = { failures: 0, trips: 0 };

export function breakerState({ retryAt }: Breaker, now: Date): (typeof BREAKER_STATES)[number] {
  if (!retryAt) return "closed";
  return now < retryAt ? "open" : "half_open";
}

/** Whether a call may be made, and what it changes; or from when on one may. */
export type Admission =
  | { admitted: true; breaker: Breaker; probing: boolean }
  | { admitted: false; at: Date };

/** Lets calls through while closed, none while open, and one at a time to try, when half open. */
export function admit(breaker: Breaker, now: Date): Admission {
  const { retryAt, leasedUntil } = breaker;
  if (!retryAt) return { admitted: true, breaker, probing: false };
  if (now < retryAt) return { admitted: false, at: retryAt };
  if (leasedUntil && now < leasedUntil) return { admitted: false, at: leasedUntil };
  return {
    admitted: true,
    breaker: { ...breaker, leasedUntil: new Date(now.getTime() + LEASE_MS) },
    probing: true,
  };
}

/** A call that failed. */
export interface FailedCall {
  /** The provider took the key for none (401, 403): no short wait will mend that. */
  rejected: boolean;
  retryAfterSeconds: number | undefined;
}

/**
 * The breaker after a failure: it opens at the fifth in a row, and at each that tries whether the key works
 * again, for a window that doubles. While it is open already, its window stays.
 * @param chance from 0 to 1, lengthens the window by as many tenths
 */
export function afterFailure(breaker: Breaker, call: FailedCall, now: Date, chance: number): Breaker {
  const failures = breaker.failures + 1;
  if (breakerState(breaker, now) === "open") return { ...breaker, failures };
  if (failures < FAILURES_TO_OPEN) return { ...breaker, failures };
  const trips = breaker.trips + 1;
  return { failures, trips, retryAt: new Date(now.getTime() + windowMs(call, trips, chance)) };
}

/** The breaker once a call that was let through to try has told nothing of the key. */
export function afterNothing({ failures, trips, retryAt }: Breaker): Breaker {
  return { failures, trips, ...present({ retryAt }) };
}

function windowMs({ rejected, retryAfterSeconds = 0 }: FailedCall, trips: number, chance: number): number {
  const doubled = Math.min(LONGEST_WINDOW_MS, FIRST_WINDOW_MS * 2 ** (trips - 1));
  const own = (rejected ? LONGEST_WINDOW_MS : doubled) * (1 + MOST_JITTER * chance);
  return Math.round(Math.max(own, Math.min(retryAfterSeconds * 1000, LONGEST_WISH_MS)));
}
