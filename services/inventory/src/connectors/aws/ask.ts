import { isObject, type JsonObject } from "@leeway/shared/json";

import { awsFailure, type Question, retryAfterMs } from "./failure.ts";

const MOST_WAITS = 8;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;

/**
 * Asks AWS. The client tries again by itself what may work a moment later; whom AWS still asks to slow down waits
 * as long as AWS says, or longer each time.
 * @throws {AwsFailure} for all that AWS refuses; the signal's reason once it is aborted
 */
export async function ask<T>(
  question: Question,
  signal: AbortSignal,
  send: (options: { abortSignal: AbortSignal }) => Promise<T>,
): Promise<T> {
  for (let waits = 0; ; waits += 1) {
    signal.throwIfAborted();
    try {
      return await send({ abortSignal: signal });
    } catch (error) {
      signal.throwIfAborted();
      const failure = awsFailure(error, question);
      if (failure.failure.code !== "throttled" || waits === MOST_WAITS) throw failure;
      const waitMs = retryAfterMs(error) ?? FIRST_WAIT_MS * 2 ** waits;
      await pause(Math.min(waitMs, LONGEST_WAIT_MS), signal);
    }
  }
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

/** An answer as the command line prints it. */
export function documentOf(answer: object): JsonObject {
  const document: unknown = JSON.parse(JSON.stringify({ ...answer, $metadata: undefined }));
  if (!isObject(document)) throw new Error("an answer is no object");
  return document;
}
