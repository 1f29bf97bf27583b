import { Empty, NatsError } from "nats";

import type { BusConnection } from "./connection.ts";

/** Timeout from which calls are watched. */
const LONG_MS = 15_000;
const ASK_EVERY_MS = 2_000;
/**
 * Consecutive checks without a responder after which a call is lost. Its worker may only have lost the bus for a
 * moment.
 */
const MAX_MISSES = 3;

const NO_RESPONDERS = "503";

/** Subject at which the worker of a call listens. */
export const CALLS_SUBJECT = "leeway.calls.*";
const subjectOf = (callId: string): string => CALLS_SUBJECT.replace("*", callId);

/** Answers the checks of a call's caller while the call is in progress. @returns a function that stops this */
export function sayAlive({ nats }: BusConnection, callId: string, timeoutMs: number): () => void {
  if (timeoutMs < LONG_MS || nats.isClosed() || nats.isDraining()) return () => undefined;
  const subscription = nats.subscribe(subjectOf(callId), {
    callback: (problem, message) => {
      if (problem === null) message.respond();
    },
  });
  return () => subscription.unsubscribe();
}

/**
 * Checks regularly whether a process works on a call, because NATS doesn't report that a worker died. A worker that
 * doesn't answer may be busy. Without a responder the worker is gone, or hasn't started the call for too long.
 * @returns a function that stops this
 */
export function watchCall(
  bus: BusConnection,
  callId: string,
  { timeoutMs, onLost }: { timeoutMs: number; onLost(): void },
): () => void {
  if (timeoutMs < LONG_MS) return () => undefined;
  let misses = 0;
  const count = (error: unknown): void => {
    const nobody = error instanceof NatsError && error.code === NO_RESPONDERS;
    misses = nobody ? misses + 1 : 0;
    if (misses === MAX_MISSES) onLost();
  };
  const asking = setInterval(() => {
    bus.nats.request(subjectOf(callId), Empty, { timeout: ASK_EVERY_MS }).then(() => count(undefined), count);
  }, ASK_EVERY_MS);
  return () => clearInterval(asking);
}
