import { untilNextLook } from "@leeway/shared/testing/testing";

/** Waits until `holds` and returns the milliseconds it took. @throws {Error} when it takes longer than `limitMs` */
export async function until(
  holds: () => boolean | Promise<boolean>,
  limitMs: number,
  what = "it",
): Promise<number> {
  const started = performance.now();
  while (!(await holds())) {
    if (performance.now() - started > limitMs) throw new Error(`${what}: not within ${limitMs} ms`);
    await untilNextLook(started);
  }
  return performance.now() - started;
}
