const LOOK_MS = 10;

/** Waits until `holds`, and gives the milliseconds that it took. @throws {Error} when it doesn't in time */
export async function until(
  holds: () => boolean | Promise<boolean>,
  limitMs: number,
  what = "it",
): Promise<number> {
  const started = performance.now();
  while (!(await holds())) {
    if (performance.now() - started > limitMs) throw new Error(`${what}: not within ${limitMs} ms`);
    await Bun.sleep(LOOK_MS);
  }
  return performance.now() - started;
}
