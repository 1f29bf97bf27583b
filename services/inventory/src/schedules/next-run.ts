import type { ScanWindow } from "@leeway/shared/contracts/inventory/schedules";
import { sha256 } from "@leeway/shared/values/digest";

import { MIN_INTERVAL_MS, ticksOf } from "./cron.ts";
import { isOpen, nextOpening } from "./window.ts";

/** Timing of a schedule's scans. */
export interface Timing {
  /** Id of the schedule, which determines its jitter. */
  id: string;
  cron: string;
  timezone: string;
  window?: ScanWindow | undefined;
}

const MAX_JITTER_SECONDS = 300;

/**
 * Returns the start of the next scan: the first tick after `after`, or the next opening of its window. Adds a fixed
 * jitter of up to five minutes per schedule. The start is at least an hour after `last`, the previously planned run.
 * Undefined if no tick follows.
 */
export function nextRun(timing: Timing, after: Date, last?: Date): Date | undefined {
  const ticks = ticksOf(timing.cron, timing.timezone);
  const earliest = Math.max(after.getTime() + 1, last ? last.getTime() + MIN_INTERVAL_MS : 0);
  let tick = ticks.after(after);
  while (tick) {
    const run = runOf(timing, tick);
    if (run.getTime() >= earliest) return run;
    tick = ticks.after(tick);
  }
  return undefined;
}

/** Returns the start of the run for `tick`, which may have to wait for the window. */
export function runOf({ id, window }: Timing, tick: Date): Date {
  const jitterMs = (sha256(id).readUInt32BE(0) % MAX_JITTER_SECONDS) * 1000;
  const start = window && !isOpen(window, tick) ? nextOpening(window, tick) : tick;
  const late = new Date(start.getTime() + jitterMs);
  return !window || isOpen(window, late) ? late : start;
}
