import type { BREAKER_STATES } from "@leeway/shared/contracts/quota/llm-config";
import { present } from "@leeway/shared/values/json";

const FAILURES_TO_OPEN = 5;
const FIRST_WINDOW_MS = 60_000;
const LONGEST_WINDOW_MS = 15 * 60_000;
/** Maximum `Retry-After` that is honoured. */
const MAX_RETRY_AFTER_MS = 24 * 60 * 60_000;
const MAX_JITTER = 0.1;
/** Duration of a probe's lease: longer than a call may take, so that only a probe that died loses it. */
const LEASE_MS = 75_000;

/** Recent outcomes of a key's calls; calls are blocked while `now` is before `retryAt`. */
export interface Breaker {
  /** Failures since the last success. */
  failures: number;
  /** Number of times it has opened since the last success. */
  trips: number;
  /** End of the open window; absent while closed. */
  retryAt?: Date;
  /** End of the lease of the one call that may probe the key. */
  leasedUntil?: Date;
}

export const CLOSED: Breaker = { failures: 0, trips: 0 };

export function breakerState({ retryAt }: Breaker, now: Date): (typeof BREAKER_STATES)[number] {
  if (!retryAt) return "closed";
  return now < retryAt ? "open" : "half_open";
}

/** Decision on a call: the breaker after admitting it, or the time from which one may be made. */
export type Admission =
  | { admitted: true; breaker: Breaker; probing: boolean }
  | { admitted: false; at: Date };

/** Admits every call while closed, none while open, and one probe at a time while half open. */
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
  /** Whether the provider rejected the key (401, 403), which a short wait won't fix. */
  rejected: boolean;
  retryAfterSeconds: number | undefined;
}

/**
 * Returns the breaker after a failure. It opens at the fifth failure in a row and after each failed probe, for a
 * window that doubles. While it is open, the window stays the same.
 * @param chance jitter from 0 to 1, which lengthens the window by up to a tenth
 */
export function afterFailure(breaker: Breaker, call: FailedCall, now: Date, chance: number): Breaker {
  const failures = breaker.failures + 1;
  if (breakerState(breaker, now) === "open") return { ...breaker, failures };
  if (failures < FAILURES_TO_OPEN) return { ...breaker, failures };
  const trips = breaker.trips + 1;
  return { failures, trips, retryAt: new Date(now.getTime() + windowMs(call, trips, chance)) };
}

/** Returns the breaker after a probe that showed nothing about the key. */
export function afterNothing({ failures, trips, retryAt }: Breaker): Breaker {
  return { failures, trips, ...present({ retryAt }) };
}

function windowMs({ rejected, retryAfterSeconds = 0 }: FailedCall, trips: number, chance: number): number {
  const doubled = Math.min(LONGEST_WINDOW_MS, FIRST_WINDOW_MS * 2 ** (trips - 1));
  const own = (rejected ? LONGEST_WINDOW_MS : doubled) * (1 + MAX_JITTER * chance);
  return Math.round(Math.max(own, Math.min(retryAfterSeconds * 1000, MAX_RETRY_AFTER_MS)));
}
