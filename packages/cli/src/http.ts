import { setTimeout as sleep } from "node:timers/promises";

import { Failure } from "./failure.ts";

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8000;
/** What may be behind a failure that a runtime names so. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [
    /^(DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED|UNABLE_TO_GET_ISSUER|UNABLE_TO_VERIFY)_/,
    "NODE_EXTRA_CA_CERTS=FILE makes its authority known",
  ],
  // Node.js drops the answer of a server that refuses a body while it is being sent, and closes.
  [/^(ECONNRESET|EPIPE)$/, "a proxy in front of it may do that to what is too large for it"],
];

/** What a try came to when another may do better. */
export interface Setback {
  problem: string;
  retryAfterMs: number;
  /** Whether it is a matter of waiting for what is under way: no try is used up. */
  isUnderWay?: boolean;
}

/** How often something is tried, and until when by `performance.now()`. */
export interface Patience {
  tries: number;
  deadline: number;
}

/**
 * Tries until it succeeds. `tell` hears of every setback that another try follows.
 * @throws {Failure} `unavailable` when tries or time have run out.
 */
export async function persist<T extends object>(
  { tries, deadline }: Patience,
  attempt: (remainingMs: number) => Promise<T | Setback>,
  tell: (message: string) => void,
): Promise<T> {
  let failed = 0;
  for (let count = 1; ; count += 1) {
    const outcome = await attempt(deadline - performance.now());
    if (!("problem" in outcome && "retryAfterMs" in outcome)) return outcome;
    const pauseMs = Math.max(pauseAfter(count), outcome.retryAfterMs);
    if (outcome.isUnderWay !== true) failed += 1;
    const isLast = failed >= tries || performance.now() + pauseMs >= deadline;
    if (isLast) throw new Failure("unavailable", givenUp(outcome, count));
    tell(`${outcome.problem}; trying again in ${inSeconds(pauseMs)} s`);
    await sleep(pauseMs);
  }
}

/** A signal that ends a try after `longestMs`, or earlier when less time remains. */
export function within(longestMs: number, remainingMs: number): AbortSignal {
  return AbortSignal.timeout(Math.max(1, Math.ceil(Math.min(longestMs, remainingMs))));
}

/** What failed on the way, as the runtime names it; messages may quote the address. */
export function unreachable(error: unknown): Setback {
  const cause = causeOf(error);
  const advice = ADVICE.find(([named]) => named.test(cause))?.[1];
  const why = advice === undefined ? cause : `${cause}; ${advice}`;
  return { problem: `Leeway can't be reached (${why})`, retryAfterMs: 0 };
}

/** The text of an answer, or its beginning when it goes on beyond `mostCharacters`. */
export async function startOf({ body }: Response, mostCharacters: number): Promise<string> {
  const decoder = new TextDecoder();
  let start = "";
  for await (const chunk of body ?? []) {
    start += decoder.decode(chunk, { stream: true });
    if (start.length > mostCharacters) break;
  }
  return start;
}

/** Undefined for what is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What `Retry-After` says: seconds or a date, RFC 9110; 0 when it is neither. */
export function retryAfterMs(headers: Headers): number {
  const header = headers.get("retry-after");
  if (header === null) return 0;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? 0 : Math.max(0, ms);
}

/** Doubles from try to try; by chance up to half less, so that many pipelines don't come back at once. */
function pauseAfter(attempt: number): number {
  const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1));
  return longest * (1 - Math.random() / 2);
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  if (error.name === "TimeoutError") return "no answer in time";
  const codes = [error.cause, error].map((each) =>
    each instanceof Error && "code" in each ? each.code : undefined,
  );
  return codes.find((code) => typeof code === "string") ?? error.name;
}

function givenUp({ problem, retryAfterMs }: Setback, attempts: number): string {
  const wish = retryAfterMs > 0 ? `, and asks to come back in ${inSeconds(retryAfterMs)} s` : "";
  return `${problem}${wish}: given up after ${attempts} ${attempts === 1 ? "try" : "tries"}`;
}

function inSeconds(ms: number): string {
  return (ms / 1000).toFixed(1).replace(/\.0$/, "");
}
