/** Time in which a process stops. Containers get ten seconds before they are killed. */
export const STOP_LIMIT_MS = 9_000;
/** Part of it after which no work is in progress, so that connections can be closed. */
const WORK_LIMIT_MS = 8_000;
/** Longest time for work in progress once the process takes no requests. */
const LONGEST_GRACE_MS = 5_000;

const state = { begunAt: Infinity };

/** Notes that the process begins to stop. */
export function beginStop(): void {
  state.begunAt = performance.now();
}

/** Returns the time left for work in progress, in ms. Whatever takes longer is aborted; another process does it. */
export function graceMs(): number {
  const left = state.begunAt + WORK_LIMIT_MS - performance.now();
  return Math.max(0, Math.min(LONGEST_GRACE_MS, left));
}
