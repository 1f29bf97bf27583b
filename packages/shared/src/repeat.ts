import { withContext } from "./context.ts";
import type { Logger } from "./telemetry/log.ts";
import { gauge } from "./telemetry/metrics.ts";

/** Work that is done again and again. */
export interface Repeated {
  /** Does it now, or once more after the time that is under way. */
  wake(): void;
  /** Resolves when the time that is under way is done, or was called off because it took too long, and none follows. */
  stop(): Promise<void>;
}

interface RepeatOptions {
  /** None has another's in a process. */
  name: string;
  everyMs: number;
  /** How often a failure is told that stays the same. */
  tellEveryMs?: number;
  /** How long a time that is under way may take on when it is stopped: its context's signal aborts then. */
  patienceMs?: number;
  log: Logger;
  work(): Promise<void>;
}

/** A log is read by who looks for something: of what isn't done, nobody may hear until the disk is full. */
const failures = gauge("loop_failures", "Times in a row that what is done again and again has failed", [
  "loop",
]);

const TELL_EVERY_MS = 60_000;
/** Of the nine seconds that a service has to end in. */
const PATIENCE_MS = 5_000;

/** Does `work` every so often, one time after the other; a failure is logged and the next time comes. */
export function repeat(options: RepeatOptions): Repeated {
  const { name, everyMs, tellEveryMs = TELL_EVERY_MS, patienceMs = PATIENCE_MS, log, work } = options;
  const state = { stopped: false };
  const calledOff = new AbortController();
  let told: { reason: string; at: number; unsaid: number } | undefined;
  let woken = Promise.withResolvers<void>();

  async function once(): Promise<void> {
    try {
      await withContext({ requestId: crypto.randomUUID(), signal: calledOff.signal }, work);
      told = undefined;
      failures.set({ loop: name }, 0);
    } catch (error) {
      if (calledOff.signal.aborted) return;
      failures.inc({ loop: name });
      tell(error);
    }
  }

  /** While PostgreSQL is away, dozens of loops fail every second, all for one reason. */
  function tell(error: unknown): void {
    const [reason, now] = [reasonOf(error), performance.now()];
    if (told?.reason === reason && now < told.at + tellEveryMs) {
      told.unsaid += 1;
      return;
    }
    log.warn({ error, loop: name, ...(told?.unsaid && { unsaid: told.unsaid }) }, "will be tried again");
    told = { reason, at: now, unsaid: 0 };
  }

  async function loop(): Promise<void> {
    while (!state.stopped) {
      await once();
      if (!state.stopped) await Promise.race([woken.promise, Bun.sleep(everyMs)]);
      woken = Promise.withResolvers<void>();
    }
  }

  const looping = loop();
  return {
    wake: () => woken.resolve(),
    async stop() {
      state.stopped = true;
      woken.resolve();
      const limit = setTimeout(() => calledOff.abort(), patienceMs);
      await looping.finally(() => clearTimeout(limit));
      failures.remove({ loop: name });
    },
  };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${reasonOf(error.cause)}`;
}
