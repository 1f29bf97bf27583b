/** Work on untrusted text. */
export interface Work<T> {
  /** Returns an input of about `size` bytes. */
  make(size: number): T;
  work(input: T): unknown;
  /** Inputs of a quarter of this size and of four times this size are measured. */
  size: number;
}

const TIMES = 4;
const DOUBLINGS = Math.log2(TIMES * TIMES);
/**
 * Limit between linear work, which has 2, and quadratic work, which has 4. Over four doublings it leaves linear work a
 * factor of 2.4, because a large input misses the processor's caches.
 */
export const STEEPEST = 2.5;
/**
 * Shortest time to measure. A thread's CPU clock moves in steps of some milliseconds, so work is repeated for this
 * long.
 */
const MIN_MS = 25;
/** Time limit of the measurement. Processes that share a core or a cache with this thread slow it down for a while. */
const PATIENCE_MS = 15_000;
const PAUSE_MS = 20;

/**
 * Returns the factor by which `work` takes longer when its input doubles. It measures this thread's CPU time, which
 * other work on the machine doesn't add to, and compares the shortest times of several rounds. It stops as soon as
 * the growth is below {@link STEEPEST}. The large input comes first in a round, so compiling the code never makes the
 * growth look smaller.
 */
export async function growthOf<T>({ make, work, size }: Work<T>): Promise<number> {
  const [large, small] = [make(size * TIMES), make(size / TIMES)];
  let [largeMs, smallMs] = [Infinity, Infinity];
  const ends = performance.now() + PATIENCE_MS;
  for (;;) {
    largeMs = Math.min(largeMs, await millisecondsOf(() => work(large)));
    smallMs = Math.min(smallMs, await millisecondsOf(() => work(small)));
    const growth = (largeMs / smallMs) ** (1 / DOUBLINGS);
    if (growth < STEEPEST || performance.now() > ends) return growth;
    await Bun.sleep(PAUSE_MS);
  }
}

async function millisecondsOf(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  for (let count = 1; ; count += 1) {
    await work();
    const { user, system } = process.threadCpuUsage(before);
    const milliseconds = (user + system) / 1_000;
    if (milliseconds >= MIN_MS) return milliseconds / count;
  }
}

/** Repeats `part` to `size` characters, or a few more. */
export function repeated(part: string, size: number): string {
  return part.repeat(Math.ceil(size / part.length));
}

/** Returns a list of `count` items. */
export function many<T>(count: number, item: (index: number) => T): T[] {
  return Array.from({ length: Math.ceil(count) }, (_, index) => item(index));
}

/** Returns an object of `count` members. */
export function wide<T>(count: number, name: string, value: (index: number) => T): Record<string, T> {
  return Object.fromEntries(many(count, (index) => [name + index, value(index)]));
}
