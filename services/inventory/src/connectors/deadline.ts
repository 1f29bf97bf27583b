import { currentContext } from "@leeway/shared/context";

/** Aborts when the request's caller is gone, and when `ms` have passed: then with a reason that `isTimeout`. */
export function deadlineSignal(ms: number): AbortSignal {
  const signals = [AbortSignal.timeout(ms), currentContext()?.signal];
  return AbortSignal.any(signals.filter((signal) => signal !== undefined));
}

/** Whether `error` is what a deadline ended work with. */
export function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === "TimeoutError";
}
