/** A request or job to measure. */
export type Path = readonly [name: string, work: () => Promise<unknown>];

const TURNS = 9;

/** Prints the median time of each path. */
export async function printMedians(title: string, paths: readonly Path[]): Promise<void> {
  console.log(`\n${title}:`);
  for (const [name, work] of paths) {
    const times: number[] = [];
    for (let turn = 0; turn < TURNS; turn += 1) {
      const started = performance.now();
      await work();
      times.push(performance.now() - started);
    }
    const median = times.toSorted((one, other) => one - other)[TURNS >> 1] ?? 0;
    console.log(`  ${name}: ${median.toFixed(1)} ms`);
  }
}
