import { setTimeout as sleep } from "node:timers/promises";

/** Time source that tests can replace. */
export interface Clock {
  /** Returns the time in ms since 1970. */
  now(): number;
  /** Waits; rejects with the signal's reason if it aborts first. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: Date.now,
  async sleep(ms, signal) {
    await sleep(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
  },
};
