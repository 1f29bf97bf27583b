import { currentContext } from "@leeway/shared/platform/context";

/** Returns a signal that aborts when the caller disconnects, or after `ms` with a reason that passes `isTimeout`. */
export function deadlineSignal(ms: number): AbortSignal {
  const signals = [AbortSignal.timeout(ms), currentContext()?.signal];
  return AbortSignal.any(signals.filter((signal) => signal !== undefined));
}

/** Reports whether `error` comes from an expired deadline. */
export function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === "TimeoutError";
}
