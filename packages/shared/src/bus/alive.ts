import { Empty, NatsError } from "nats";

import type { BusConnection } from "./connection.ts";

/** What takes no longer than this isn't asked after. */
const LONG_MS = 15_000;
const ASK_EVERY_MS = 2_000;
/** So often in a row nobody may be there: who works on it may only have lost the bus for a moment. */
const MOST_MISSES = 3;

const NO_RESPONDERS = "503";

/** Where whoever works on a call listens. */
export const CALLS_SUBJECT = "leeway.calls.*";
const subjectOf = (callId: string): string => CALLS_SUBJECT.replace("*", callId);

/** Lets a call's caller know that somebody works on it. @returns what ends that */
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
 * Asks after a call, of which nothing is heard otherwise when the process that works on it dies. Silence isn't death: it
 * may be busy. Nobody there is, or a process that hasn't come to the call for so long.
 * @returns what ends that
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
    if (misses === MOST_MISSES) onLost();
  };
  const asking = setInterval(() => {
    bus.nats.request(subjectOf(callId), Empty, { timeout: ASK_EVERY_MS }).then(() => count(undefined), count);
  }, ASK_EVERY_MS);
  return () => clearInterval(asking);
}
