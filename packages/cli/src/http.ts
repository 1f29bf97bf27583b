import { setTimeout as sleep } from "node:timers/promises";

import { Failure } from "./failure.ts";
import { reasonOf } from "./reason.ts";

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8000;

/** A failed try that may succeed on a retry. */
export interface Setback {
  problem: string;
  retryAfterMs: number;
  /** Whether the server is still busy with the same request; waiting for it doesn't use up a try. */
  isUnderWay?: boolean;
}

/** Number of tries, and the end of all of them as a `performance.now()` time. */
export interface Patience {
  tries: number;
  deadline: number;
}

/**
 * Retries until it succeeds. `log` reports every failure before a retry.
 * @throws {Failure} `unavailable` when tries or time have run out
 */
export async function persist<T extends object>(
  { tries, deadline }: Patience,
  attempt: (remainingMs: number) => Promise<T | Setback>,
  log: (message: string) => void,
): Promise<T> {
  let failed = 0;
  for (let count = 1; ; count += 1) {
    const outcome = await attempt(deadline - performance.now());
    if (!("problem" in outcome && "retryAfterMs" in outcome)) return outcome;
    const pauseMs = Math.max(pauseAfter(count), outcome.retryAfterMs);
    const { problem, isUnderWay = false } = outcome;
    if (!isUnderWay) failed += 1;
    const isLast = failed >= tries || performance.now() + pauseMs >= deadline;
    if (isLast) throw new Failure("unavailable", givenUp(outcome, count));
    const progress = isUnderWay ? "" : ` (${failed} of ${tries})`;
    log(`${problem}; retrying in ${inSeconds(pauseMs)} s${progress}`);
    await sleep(pauseMs);
  }
}

/** Returns a signal that aborts a try after `longestMs`, or earlier if less time remains. */
export function within(longestMs: number, remainingMs: number): AbortSignal {
  return AbortSignal.timeout(Math.max(1, Math.ceil(Math.min(longestMs, remainingMs))));
}

/** Reports that the server can't be reached. */
export function unreachable(url: URL, error: unknown): Setback {
  return { problem: `can't reach ${url.origin}: ${reasonOf(error)}`, retryAfterMs: 0 };
}

/** Reads the text of an answer, cut off soon after `maxCharacters`. */
export async function startOf({ body }: Response, maxCharacters: number): Promise<string> {
  const decoder = new TextDecoder();
  let start = "";
  for await (const chunk of body ?? []) {
    start += decoder.decode(chunk, { stream: true });
    if (start.length > maxCharacters) break;
  }
  return start;
}

/** Parses JSON; undefined if the text isn't valid. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the delay that `Retry-After` requests, in seconds or as a date (RFC 9110); 0 without one. */
export function retryAfterMs(headers: Headers): number {
  const header = headers.get("retry-after");
  if (header === null) return 0;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? 0 : Math.max(0, ms);
}

/** Returns a pause that doubles with each try, minus jitter, so that many pipelines don't retry at the same moment. */
function pauseAfter(attempt: number): number {
  const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1));
  return longest * (1 - Math.random() / 2);
}

function givenUp({ problem, retryAfterMs }: Setback, attempts: number): string {
  const request = retryAfterMs > 0 ? ` and asks to wait ${inSeconds(retryAfterMs)} s` : "";
  return `${problem}${request}; gave up after ${attempts} ${attempts === 1 ? "try" : "tries"}`;
}

function inSeconds(ms: number): string {
  return (ms / 1000).toFixed(1).replace(/\.0$/, "");
}
