import { isObject, type JsonObject } from "@leeway/shared/values/json";

import { throttles } from "../throttles.ts";
import { AwsFailure, awsFailure, type Question, retryAfterMs } from "./failure.ts";

/** Timeouts in a row after which a service in a region is skipped. One slow type is not enough. */
const HUNG_TIMES = 2;
const HUNG_MS = 5 * 60_000;
const MAX_WAITS = 8;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;

/**
 * Calls AWS. The SDK retries brief failures. If AWS still throttles, the call waits as long as AWS asks, or with
 * growing pauses. A service that timed out repeatedly in a region is skipped there for a few minutes.
 * @throws {AwsFailure} for every refusal by AWS; the signal's reason once it is aborted
 */
export type Ask = <T extends object>(
  question: Question,
  signal: AbortSignal,
  send: (options: { abortSignal: AbortSignal }) => Promise<T>,
) => Promise<T>;

export function createAsk(): Ask {
  const silences = new Map<string, Silence>();
  return async (question, signal, send) => {
    const place = `${question.action.split(":", 1)[0]} ${question.region}`;
    const silence = silences.get(place);
    if (silence && silence.times >= HUNG_TIMES && Date.now() < silence.until) throw silence.failure;
    try {
      const answer = await patiently(question, signal, send);
      silences.delete(place);
      return answer;
    } catch (error) {
      if (error instanceof AwsFailure && error.failure.code === "timeout") {
        const times = (silences.get(place)?.times ?? 0) + 1;
        silences.set(place, { failure: error, times, until: Date.now() + HUNG_MS });
      } else silences.delete(place);
      throw error;
    }
  };
}

interface Silence {
  failure: AwsFailure;
  /** Number of timeouts in a row. */
  times: number;
  until: number;
}

async function patiently<T extends object>(
  question: Question,
  signal: AbortSignal,
  send: (options: { abortSignal: AbortSignal }) => Promise<T>,
): Promise<T> {
  const end = performance.now() + (question.patienceMs ?? Infinity);
  for (let waits = 0; ; waits += 1) {
    signal.throwIfAborted();
    try {
      return filled(await send({ abortSignal: signal }));
    } catch (error) {
      signal.throwIfAborted();
      const failure = awsFailure(error, question);
      if (failure.failure.code === "throttled") throttles.inc();
      if (failure.failure.code !== "throttled" || waits === MAX_WAITS) throw failure;
      const waitMs = Math.min(retryAfterMs(error) ?? FIRST_WAIT_MS * 2 ** waits, LONGEST_WAIT_MS);
      if (performance.now() + waitMs > end) throw failure;
      await pause(waitMs, signal);
    }
  }
}

/** Rejects an answer without any field. Read as an empty list, it would empty an inventory. */
function filled<T extends object>(answer: T): T {
  const says = Object.entries(answer).some(([name, value]) => name !== "$metadata" && value !== undefined);
  if (!says) throw new AwsFailure({ code: "internal", message: "AWS sent an empty response" }, "NoAnswer");
  return answer;
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  const abort = (): void => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  }
}

/** Returns an answer as the AWS CLI prints it. */
export function documentOf(answer: object): JsonObject {
  const document: unknown = JSON.parse(JSON.stringify({ ...answer, $metadata: undefined }));
  if (!isObject(document)) throw new Error("the response isn't a JSON object");
  return document;
}
