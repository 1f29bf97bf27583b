import { descendantsOf, statOf } from "./descendants.ts";

/** Number of clock ticks in a second, which is the same on every Linux. */
const TICKS = 100;

/**
 * Returns the processor time in seconds that this process and all its descendants have used so far: services, and
 * PostgreSQL and NATS unless they were running before. Unlike elapsed time, it hardly depends on what else runs on the machine. Linux only.
 */
export function cpuSeconds(): number {
  return descendantsOf(process.pid).reduce((sum, id) => sum + secondsOf(id), 0);
}

/** Returns the processor time of one process. Time of ended children counts for their parent. */
export function secondsOf(id: number): number {
  const [user = 0, system = 0, childrensUser = 0, childrensSystem = 0] = statOf(id).slice(11, 15).map(Number);
  return (user + system + childrensUser + childrensSystem) / TICKS;
}
