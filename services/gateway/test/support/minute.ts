const MINUTE_MS = 60_000;
/** Longer than a test takes to use a limit up, on a slow machine. */
const NEEDED_MS = 6_000;

/** Resolves where the limits of a minute last for a test: at once, or when the next minute has begun. */
export async function ampleMinute(): Promise<void> {
  const leftMs = MINUTE_MS - (Date.now() % MINUTE_MS);
  if (leftMs < NEEDED_MS) await Bun.sleep(leftMs + 5);
}
