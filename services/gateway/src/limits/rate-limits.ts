import type { Database } from "@leeway/shared/database/database";
import { AppError } from "@leeway/shared/values/errors";

import { addToWindows } from "./store/rate-windows.ts";

const MINUTE_MS = 60_000;
const WINDOW_MS = { minute: MINUTE_MS, day: 24 * 60 * MINUTE_MS };

/** Limit on requests per minute, or per day in UTC; 0 means no limit. */
export interface RateLimit {
  /** Name of the limit in headers, and prefix of its subjects. */
  policy: string;
  most: number;
  per: keyof typeof WINDOW_MS;
}

/** Result of taking a request from a limit, with its headers (draft-ietf-httpapi-ratelimit-headers-10). */
export interface Taken {
  allowed: boolean;
  per: RateLimit["per"];
  headers: Record<string, string>;
  retryAfterSeconds: number;
  /** Returns the request to the limit if it turns out not to count. */
  refund(): void;
}

interface Window {
  end: number;
  /** Requests counted by all gateways, as of the last exchange. */
  total: number;
  /** Requests counted by this gateway since then. */
  pending: number;
}

interface Counted {
  subject: string;
  window: Window;
  used: number;
}

/**
 * Counts requests in fixed windows, in this process and, through `exchange`, across all gateways. Between two
 * exchanges a limit can be exceeded by the requests that other gateways allow.
 */
export interface RateLimits {
  /** Takes one request of `subject` from `limit`; a rejected one isn't counted. */
  take(limit: RateLimit, subject: string, now?: number): Taken;
  /** Adds this gateway's counts to the shared windows, and reads the totals. */
  exchange(now?: number): Promise<void>;
}

export function createRateLimits(database: Database): RateLimits {
  const windows = new Map<string, Window>();

  function windowOf(subject: string, end: number): Window {
    const known = windows.get(subject);
    if (known?.end === end) return known;
    const fresh = { end, total: 0, pending: 0 };
    windows.set(subject, fresh);
    return fresh;
  }

  /** Returns the counts since the last exchange, and drops windows that ended. */
  function counted(now: number): Counted[] {
    const found: Counted[] = [];
    for (const [subject, window] of windows) {
      if (window.end <= now) windows.delete(subject);
      else if (window.pending !== 0) found.push({ subject, window, used: window.pending });
    }
    return found;
  }

  return {
    take(limit, subject, now = Date.now()) {
      const { policy, most, per } = limit;
      const end = endOf(per, now);
      const retryAfterSeconds = Math.ceil((end - now) / 1000);
      if (most === 0) return { allowed: true, per, headers: {}, retryAfterSeconds, refund: () => {} };
      const key = `${policy}:${subject}`;
      const window = windowOf(key, end);
      const allowed = window.total + window.pending < most;
      if (allowed) window.pending += 1;
      const remaining = Math.max(0, most - window.total - window.pending);
      const headers = headersOf(limit, remaining, retryAfterSeconds);
      const refund = (): void => {
        if (allowed) window.pending -= 1;
        // Callers can name subjects that don't exist.
        if (window.pending === 0 && window.total === 0 && windows.get(key) === window) windows.delete(key);
      };
      return { allowed, per, headers, retryAfterSeconds, refund };
    },
    async exchange(now = Date.now()) {
      const found = counted(now);
      if (found.length === 0) return;
      for (const { window, used } of found) move(window, used);
      try {
        const rows = found.map(({ subject, window, used }) => ({ subject, end: window.end, used }));
        const totals = await addToWindows(database.system, rows);
        for (const { subject, window } of found) window.total = totals.get(subject) ?? window.total;
      } catch (error) {
        for (const { window, used } of found) move(window, -used); // added in the next exchange
        throw error;
      }
    },
  };
}

function headersOf({ policy, most, per }: RateLimit, remaining: number, seconds: number): Taken["headers"] {
  return {
    "ratelimit-policy": `"${policy}";q=${most};w=${WINDOW_MS[per] / 1000}`,
    ratelimit: `"${policy}";r=${remaining};t=${seconds}`,
  };
}

function endOf(per: RateLimit["per"], now: number): number {
  const windowMs = WINDOW_MS[per];
  return now - (now % windowMs) + windowMs;
}

/** Moves `used` requests from pending to the total. */
function move(window: Window, used: number): void {
  window.pending -= used;
  window.total += used;
}

/** Returns the error for a request over its limit. */
export function rateLimited({ per, retryAfterSeconds }: Taken): AppError {
  return new AppError(
    "rate_limited",
    `too many requests in this ${per}; retry after the time in Retry-After`,
    { retryAfterSeconds },
  );
}
