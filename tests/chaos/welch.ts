/** Tries of one kind come in a random order among those of the other, so that what else goes on hits both. */
export interface Compared {
  /** Welch's t of the two kinds' times; beyond 4.5 either way they differ. */
  t: number;
  /** Their means, in nanoseconds. */
  means: [number, number];
}

/** What is slower than so many of all tries was interrupted, and tells nothing. */
const KEPT = 0.9;
const WARM_UP = 2_000;

/** Compares how long two works take, over so many tries of each. */
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

/** The mean, and the square of its standard error. */
function momentsOf(times: readonly number[]): { mean: number; error: number } {
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
  const squares = times.reduce((sum, time) => sum + (time - mean) ** 2, 0);
  return { mean, error: squares / (times.length - 1) / times.length };
}
