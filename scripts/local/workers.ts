import { availableParallelism } from "node:os";

/**
 * Test processes that run in parallel, each with its own NATS account: several may serve the same subjects without
 * seeing each other's requests. There are two more than processors, because many tests wait for time to pass.
 */
export const WORKERS: readonly string[] = Array.from(
  { length: Math.min(8, availableParallelism() + 2) },
  (_, index) => nameOf(index + 1),
);
export const FIRST_WORKER = nameOf(1);

/** Returns a test server's URL for this worker. A server without worker accounts keeps its URL. */
export function forThisWorker(natsUrl: string): string {
  const id = Number(process.env["BUN_TEST_WORKER_ID"] ?? 1);
  return natsUrl.replace(`//${FIRST_WORKER}:`, `//${nameOf(id)}:`);
}

/** Returns the number of workers that a test server can separate. */
export function workersOf(natsUrl: string): number {
  return natsUrl.includes(`//${FIRST_WORKER}:`) ? WORKERS.length : 1;
}

function nameOf(number: number): string {
  return `worker${number}`;
}
