/** Size below which the runtime collects objects in time without help. */
const LARGE_BYTES = 256 * 1024;
const COLLECT_EVERY_BYTES = 16 << 20;
const COLLECT_REST_MS = 1_000;
/** Memory below which a process isn't stopped for a collection, which takes the time of many requests. */
const LARGE_PROCESS_BYTES = 192 << 20;

let passed = 0;
let rest: NodeJS.Timeout | undefined;

/**
 * Reports that an object of this size isn't needed any longer. The runtime frees large objects too late: without
 * this, a process that passes many of them on takes twice the memory.
 */
export function reportFreed(bytes: number): void {
  if (bytes < LARGE_BYTES) return;
  passed += bytes;
  if (passed >= COLLECT_EVERY_BYTES) return collect();
  rest ??= setTimeout(collect, COLLECT_REST_MS).unref();
}

function collect(): void {
  clearTimeout(rest);
  rest = undefined;
  passed = 0;
  if (process.memoryUsage.rss() > LARGE_PROCESS_BYTES) Bun.gc(true);
}
