import type { Logger } from "./telemetry/log.ts";

/** Time in which a process stops. Containers get ten seconds before they are killed. */
const STOP_LIMIT_MS = 9_000;
/** Part of it after which no work is in progress, so that connections can be closed. */
const WORK_LIMIT_MS = 8_000;
/** Longest time for work in progress once the process takes no requests. */
const LONGEST_GRACE_MS = 5_000;

const state = { begunAt: Infinity };

/** Begins the stop of the process, which ends when it takes too long. Returns a function that sets the current step. */
export function beginStop(log: Logger): (step: string) => void {
  state.begunAt = performance.now();
  let step = "";
  setTimeout(() => {
    log.error({ step }, "couldn't stop in time; other processes continue the work");
    process.exit(1);
  }, STOP_LIMIT_MS);
  return (next) => void (step = next);
}

/** Returns the time left for work in progress, in ms. Longer work is aborted, and another process does it. */
export function graceMs(): number {
  const left = state.begunAt + WORK_LIMIT_MS - performance.now();
  return Math.max(0, Math.min(LONGEST_GRACE_MS, left));
}
