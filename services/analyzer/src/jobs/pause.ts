import { AppError } from "@leeway/shared/values/errors";

/** Duration of all prompt attempts together. */
export const PROMPT_SECONDS = 50;

/** Returns whether a service rejected the call, as an older build does with fields it doesn't know. */
export function isTurnedDown(error: unknown): boolean {
  return error instanceof AppError && error.code !== "unavailable";
}

/**
 * Returns how many seconds to pause a job whose dependency is down or asks for a pause. Returns undefined for a
 * prompt retry or another error. After the `last` prompt attempt the job always pauses.
 */
export function pauseAfter(error: unknown, { last }: { last: boolean }): number | undefined {
  if (!(error instanceof AppError) || error.code !== "unavailable") return undefined;
  const { retryAfterSeconds: seconds = 0 } = error;
  return last || seconds > PROMPT_SECONDS ? seconds : undefined;
}
