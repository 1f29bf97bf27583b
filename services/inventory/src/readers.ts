import type { redactLive } from "@leeway/clouds/listings/redact-properties";
import { openReaders, type Reader } from "@leeway/shared/concurrency/readers";

import { inventoryTasks } from "./tasks.ts";

export type InventoryReader = Reader<ReturnType<typeof inventoryTasks>>;

/** Threads that read untrusted input, shared by the whole process, one for each processor. */
export const readers = openReaders({
  url: new URL("./thread.ts", import.meta.url),
  begin: inventoryTasks,
});

/**
 * Size that one step on a body counts for. A gzipped chunk contains more than its own size; a step reads at most 4
 * MiB of a body's lines.
 */
export const STEP_BYTES = 16 << 20;

/** Redacts the secrets in a cloud's answer about one resource. @throws {AppError} `too_slow_to_read` */
export function redactRead(
  orgId: string,
  ...read: Parameters<typeof redactLive>
): Promise<ReturnType<typeof redactLive>> {
  return readers.do({ orgId, bytes: JSON.stringify(read[0]).length }, "redactLive", read);
}
