/** What is smaller the runtime collects in time by itself. */
const LARGE_BYTES = 512 * 1024;
const COLLECT_EVERY_BYTES = 16 << 20;
const COLLECT_REST_MS = 1_000;
/** A process of less memory than this isn't stopped for a collection, which takes the time of many requests. */
const LARGE_PROCESS_BYTES = 192 << 20;

let passed = 0;
let rest: NodeJS.Timeout | undefined;

/**
 * Says that something of so many bytes was passed on, or worked on, and isn't needed any more. The runtime lets go of
 * large things too late: without this, a process through which many pass takes twice the memory.
 */
export function letGo(bytes: number): void {
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
