import type { ScanWindow } from "@leeway/shared/contracts/inventory/schedules";
import { sha256 } from "@leeway/shared/digest";

import { LEAST_INTERVAL_MS, ticksOf } from "./cron.ts";
import { isOpen, nextOpening } from "./window.ts";

/** When scans of a schedule begin. */
export interface Timing {
  /** The schedule's own: its jitter goes by it. */
  id: string;
  cron: string;
  timezone: string;
  window?: ScanWindow | undefined;
}

const MOST_JITTER_SECONDS = 300;

/**
 * When the next scan begins: at the first tick after `after`, or when its window opens, and up to five
 * minutes later, always the same for one schedule. At least an hour after `last`, the run planned before;
 * undefined when no tick comes any more.
 */
export function nextRun(timing: Timing, after: Date, last?: Date): Date | undefined {
  const ticks = ticksOf(timing.cron, timing.timezone);
  const earliest = Math.max(after.getTime() + 1, last ? last.getTime() + LEAST_INTERVAL_MS : 0);
  let tick = ticks.after(after);
  while (tick) {
    const run = runOf(timing, tick);
    if (run.getTime() >= earliest) return run;
    tick = ticks.after(tick);
  }
  return undefined;
}

/** When a tick is run that comes, or is still waiting, at `tick`. */
export function runOf({ id, window }: Timing, tick: Date): Date {
  const jitterMs = (sha256(id).readUInt32BE(0) % MOST_JITTER_SECONDS) * 1000;
  const start = window && !isOpen(window, tick) ? nextOpening(window, tick) : tick;
  const late = new Date(start.getTime() + jitterMs);
  return !window || isOpen(window, late) ? late : start;
}
