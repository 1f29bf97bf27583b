import type { CommentProblem } from "@leeway/shared/contracts/webhooks/comments";
import { isObject } from "@leeway/shared/json";

import { retryAfterOf } from "../retry-after.ts";
import { HostFailure } from "./failure.ts";

/** GitHub asks for a minute where it names no time. */
const DEFAULT_PAUSE_SECONDS = 60;
const LONGEST_PAUSE_SECONDS = 3_600;

const PROBLEMS: Readonly<Record<number, CommentProblem>> = {
  301: "not_found", // moved for good
  308: "not_found",
  401: "token_rejected",
  404: "not_found",
  408: "unavailable",
  410: "not_found",
  413: "too_large",
};

/** What an answer without success means; of its body only whether it speaks of limits. */
export function refusalOf(status: number, headers: Headers, body: unknown, now = Date.now()): HostFailure {
  if (isRateLimit(status, headers, body)) return new HostFailure("unavailable", pauseOf(headers, now));
  if (saysTooLong(body)) return new HostFailure("too_large");
  const problem = PROBLEMS[status] ?? (status >= 400 && status < 500 ? "forbidden" : "unavailable");
  const mayRetry = problem === "unavailable" && headers.has("retry-after");
  return new HostFailure(problem, mayRetry ? pauseOf(headers, now) : undefined);
}

/** GitHub's limits come as 403 too. */
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

/** Of Retry-After, or of the hosts' own headers, which hold seconds since 1970. */
function secondsOf(headers: Headers, now: number): number | undefined {
  const after = retryAfterOf(headers, now);
  if (after !== undefined) return after;
  const reset = headers.get("x-ratelimit-reset") ?? headers.get("ratelimit-reset") ?? "";
  return /^\d{1,12}$/.test(reset) ? Number(reset) - now / 1000 : undefined;
}
