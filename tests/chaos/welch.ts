/** Comparison of two kinds of work. Runs of both come in random order, so other load affects both. */
export interface Compared {
  /** Welch's t of the two kinds' times. Beyond ±4.5 they differ. */
  t: number;
  /** Mean times, in nanoseconds. */
  means: [number, number];
}

/** Share of the fastest runs to keep. Slower runs were interrupted. */
const KEPT = 0.9;
const WARM_UP = 2_000;

/** Compares the durations of two kinds of work, over `tries` runs of each. */
export async function compareTimes(
  works: readonly [() => unknown, () => unknown],
  tries: number,
): Promise<Compared> {
  const times: [number[], number[]] = [[], []];
  for (let n = -WARM_UP; n < 2 * tries; n += 1) {
    const which = Math.random() < 0.5 ? 0 : 1;
    const started = Bun.nanoseconds();
    await works[which]();
    const took = Bun.nanoseconds() - started;
    if (n >= 0) times[which].push(took);
  }
  const all = times.flat().toSorted((a, b) => a - b);
  const most = all[Math.floor(all.length * KEPT)] ?? Infinity;
  const [a, b] = times.map((some) => momentsOf(some.filter((time) => time <= most)));
  if (!a || !b) throw new Error("there are two kinds");
  return { t: (a.mean - b.mean) / Math.sqrt(a.error + b.error), means: [a.mean, b.mean] };
}

/** Returns the mean and the square of its standard error. */
function momentsOf(times: readonly number[]): { mean: number; error: number } {
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
  const squares = times.reduce((sum, time) => sum + (time - mean) ** 2, 0);
  return { mean, error: squares / (times.length - 1) / times.length };
}
