import type { Clock } from "./clock.ts";

const FIRST_GAP_MS = 250;
const LONGEST_GAP_MS = 10_000;
const SHORTEST_GAP_MS = 20;
const QUICKENING = 0.8;

/** Rate of calls: as fast as the cloud allows, adapted to its refusals. */
export interface Pace {
  /** Waits until the next call may start. */
  turn(signal: AbortSignal): Promise<void>;
  /** Blocks calls for the next `ms`. */
  hold(ms: number): void;
  /** Slows down after a throttled call. */
  slower(): void;
  /** Speeds up after a successful call. */
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
