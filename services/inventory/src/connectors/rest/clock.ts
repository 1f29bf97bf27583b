import { setTimeout as sleep } from "node:timers/promises";

/** Time, so that a test needn't wait for it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Rejects with the signal's reason when that aborts first. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: Date.now,
  async sleep(ms, signal) {
    await sleep(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
  },
};
