import type { redactLive } from "@leeway/clouds/listings/redact-properties";
import { openReaders, readingPermits, type Reader } from "@leeway/shared/concurrency/readers";

import { driftTasks, inventoryTasks } from "./tasks.ts";

export type InventoryReader = Reader<ReturnType<typeof inventoryTasks>>;

const permits = readingPermits();

/** Threads that read untrusted input, shared by the whole process. */
export const readers = openReaders({
  url: new URL("./thread.ts", import.meta.url),
  begin: inventoryTasks,
  permits,
});

/**
 * Threads that compare and judge what is stored. They are others than the readers, because a thread keeps the memory
 * of all code that it ever ran.
 */
export const driftReaders = openReaders({
  url: new URL("./drift/thread.ts", import.meta.url),
  begin: driftTasks,
  permits,
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
