import type { Clock } from "./clock.ts";

const FIRST_GAP_MS = 250;
const LONGEST_GAP_MS = 10_000;
const SHORTEST_GAP_MS = 20;
const QUICKENING = 0.8;

/** How fast calls go out: as fast as the cloud lets them, learnt from what it refuses. */
export interface Pace {
  /** Waits until the next call may go out. */
  turn(signal: AbortSignal): Promise<void>;
  /** No call before `ms` have passed. */
  hold(ms: number): void;
  /** A call was refused for being one too many. */
  slower(): void;
  /** A call was let through. */
  faster(): void;
}

export function createPace(clock: Clock): Pace {
  let gapMs = 0;
  let nextAt = 0;
  return {
    async turn(signal) {
      signal.throwIfAborted();
      for (let wait = nextAt - clock.now(); wait > 0; wait = nextAt - clock.now()) {
        await clock.sleep(wait, signal);
      }
      nextAt = clock.now() + gapMs;
    },
    hold(ms) {
      nextAt = Math.max(nextAt, clock.now() + ms);
    },
    slower() {
      gapMs = Math.min(Math.max(gapMs * 2, FIRST_GAP_MS), LONGEST_GAP_MS);
    },
    faster() {
      gapMs = gapMs * QUICKENING < SHORTEST_GAP_MS ? 0 : gapMs * QUICKENING;
    },
  };
}
