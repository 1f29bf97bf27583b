import type { CommentProblem } from "@leeway/shared/contracts/webhooks/comments";
import { isObject } from "@leeway/shared/values/json";

import { retryAfterOf } from "../retry-after.ts";
import { HostFailure } from "./failure.ts";

/** Pause without a given time; GitHub documents one minute. */
const DEFAULT_PAUSE_SECONDS = 60;
const LONGEST_PAUSE_SECONDS = 3_600;

const PROBLEMS: Readonly<Record<number, CommentProblem>> = {
  301: "not_found", // moved permanently
  308: "not_found",
  401: "token_rejected",
  404: "not_found",
  408: "unavailable",
  410: "not_found",
  413: "too_large",
};

/** Returns the failure that an error response stands for. The body is only searched for mentions of limits. */
export function refusalOf(status: number, headers: Headers, body: unknown, now = Date.now()): HostFailure {
  if (isRateLimit(status, headers, body)) return new HostFailure("unavailable", pauseOf(headers, now));
  if (saysTooLong(body)) return new HostFailure("too_large");
  const problem = PROBLEMS[status] ?? (status >= 400 && status < 500 ? "forbidden" : "unavailable");
  const mayRetry = problem === "unavailable" && headers.has("retry-after");
  return new HostFailure(problem, mayRetry ? pauseOf(headers, now) : undefined);
}

/** Returns whether a response reports a rate limit. GitHub also uses 403 for that. */
function isRateLimit(status: number, headers: Headers, body: unknown): boolean {
  if (status === 429) return true;
  if (status !== 403) return false;
  return (
    headers.has("retry-after") ||
    headers.get("x-ratelimit-remaining") === "0" ||
    /rate limit|abuse detection/i.test(wordsOf(body))
  );
}

function saysTooLong(body: unknown): boolean {
  return /\bis too long\b/i.test(wordsOf(body));
}

function wordsOf(body: unknown): string {
  return isObject(body) ? JSON.stringify([body["message"] ?? null, body["errors"] ?? null]) : "";
}

function pauseOf(headers: Headers, now: number): number {
  const seconds = secondsOf(headers, now) ?? DEFAULT_PAUSE_SECONDS;
  return Math.min(LONGEST_PAUSE_SECONDS, Math.max(1, Math.ceil(seconds)));
}

/** Returns the pause from Retry-After, or from the hosts' own headers with seconds since 1970. */
function secondsOf(headers: Headers, now: number): number | undefined {
  const after = retryAfterOf(headers, now);
  if (after !== undefined) return after;
  const reset = headers.get("x-ratelimit-reset") ?? headers.get("ratelimit-reset") ?? "";
  return /^\d{1,12}$/.test(reset) ? Number(reset) - now / 1000 : undefined;
}
