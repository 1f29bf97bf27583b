import { availableParallelism } from "node:os";

/**
 * The processes that run tests at the same time, each with a NATS account of its own: two of them may
 * answer the same requests and neither hears of the other's. Two more than processors, as many tests wait
 * for a time to pass.
 */
export const WORKERS: readonly string[] = Array.from(
  { length: Math.min(8, availableParallelism() + 2) },
  (_, index) => nameOf(index + 1),
);
export const FIRST_WORKER = nameOf(1);

/** A test server's URL as this worker uses it; one that doesn't know workers stays as it is. */
export function forThisWorker(natsUrl: string): string {
  const id = Number(process.env["BUN_TEST_WORKER_ID"] ?? 1);
  return natsUrl.replace(`//${FIRST_WORKER}:`, `//${nameOf(id)}:`);
}

/** How many workers a test server can keep apart. */
export function workersOf(natsUrl: string): number {
  return natsUrl.includes(`//${FIRST_WORKER}:`) ? WORKERS.length : 1;
}

function nameOf(number: number): string {
  return `worker${number}`;
}
