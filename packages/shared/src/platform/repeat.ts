import { withContext } from "./context.ts";
import { graceMs } from "./stop-time.ts";
import type { Logger } from "./telemetry/log.ts";
import { gauge } from "./telemetry/metrics.ts";

/** Work that runs repeatedly. */
export interface Repeated {
  /** Starts a run now, or right after the current one. */
  wake(): void;
  /** Resolves when the current run has ended, or was aborted because it took too long. No other run follows. */
  stop(): Promise<void>;
}

interface RepeatOptions {
  /** Unique in the process. */
  name: string;
  everyMs: number;
  /** Interval at which the same failure is logged. */
  logEveryMs?: number;
  /** Time that the current run may take after a stop, by default `graceMs()`. Its context's signal aborts then. */
  patienceMs?: number;
  log: Logger;
  work(): Promise<void>;
}

/** Lets an alert notice a loop that keeps failing. Logs are only read after an incident. */
const failures = gauge("loop_failures", "Consecutive failures of a background loop", ["loop"]);

const LOG_EVERY_MS = 60_000;

/** Runs `work` every `everyMs`, one run at a time. A failure is logged, and the next run follows. */
export function repeat(options: RepeatOptions): Repeated {
  const { name, everyMs, logEveryMs = LOG_EVERY_MS, log, work } = options;
  const state = { stopped: false };
  const calledOff = new AbortController();
  let lastLogged: { reason: string; at: number; unsaid: number } | undefined;
  let woken = Promise.withResolvers<void>();

  async function once(): Promise<void> {
    try {
      await withContext({ requestId: crypto.randomUUID(), signal: calledOff.signal }, work);
      lastLogged = undefined;
      failures.set({ loop: name }, 0);
    } catch (error) {
      if (calledOff.signal.aborted) return;
      failures.inc({ loop: name });
      logFailure(error);
    }
  }

  /**
   * Logs a failure, unless the same one was logged recently. Without PostgreSQL, dozens of loops fail every second
   * for the same reason.
   */
  function logFailure(error: unknown): void {
    const [reason, now] = [reasonOf(error), performance.now()];
    if (lastLogged?.reason === reason && now < lastLogged.at + logEveryMs) {
      lastLogged.unsaid += 1;
      return;
    }
    log.warn(
      { error, loop: name, ...(lastLogged?.unsaid && { unsaid: lastLogged.unsaid }) },
      "a background loop failed; it will run again",
    );
    lastLogged = { reason, at: now, unsaid: 0 };
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
      const limit = setTimeout(() => calledOff.abort(), options.patienceMs ?? graceMs());
      await looping.finally(() => clearTimeout(limit));
      failures.remove({ loop: name });
    },
  };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${reasonOf(error.cause)}`;
}
