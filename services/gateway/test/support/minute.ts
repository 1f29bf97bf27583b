const MINUTE_MS = 60_000;
/** More time than a test needs to use up a limit, even on a slow machine. */
const NEEDED_MS = 6_000;

/** Waits for the next minute if too little of the current one is left for a test of a limit. */
export async function ampleMinute(): Promise<void> {
  const leftMs = MINUTE_MS - (Date.now() % MINUTE_MS);
  if (leftMs < NEEDED_MS) await Bun.sleep(leftMs + 5);
}
