import { withContext } from "./context.ts";
import type { Logger } from "./telemetry/log.ts";

/** Work that is done again and again. */
export interface Repeated {
  /** Does it now, or once more after the time that is under way. */
  wake(): void;
  /** Resolves when the time that is under way is done, and none follows. */
  stop(): Promise<void>;
}

interface RepeatOptions {
  name: string;
  everyMs: number;
  log: Logger;
  work(): Promise<void>;
}

/** Does `work` every so often, one time after the other; a failure is logged and the next time comes. */
export function repeat({ name, everyMs, log, work }: RepeatOptions): Repeated {
  const state = { stopped: false };
  let woken = Promise.withResolvers<void>();

  async function once(): Promise<void> {
    try {
      await withContext({ requestId: crypto.randomUUID() }, work);
    } catch (error) {
      log.warn({ error, loop: name }, "will be tried again");
    }
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
      await looping;
    },
  };
}
