import { AppError } from "@leeway/shared/errors";

/** What is tried again at once is over after as much. */
export const PROMPT_SECONDS = 50;

/** Whether a service turned down what it was asked, as one of an older build does with what it doesn't know. */
export function isTurnedDown(error: unknown): boolean {
  return error instanceof AppError && error.code !== "unavailable";
}

/**
 * For how many seconds a job is left alone that failed since something is down, or asks for a pause; undefined where it is
 * tried again at once, or failed for another reason. After the `last` of the prompt attempts it is left in any case.
 */
export function pauseAfter(error: unknown, { last }: { last: boolean }): number | undefined {
  if (!(error instanceof AppError) || error.code !== "unavailable") return undefined;
  const { retryAfterSeconds: seconds = 0 } = error;
  return last || seconds > PROMPT_SECONDS ? seconds : undefined;
}
