import type { Logger } from "@leeway/shared/platform/telemetry/log";
import { repeat } from "@leeway/shared/platform/repeat";

/** Watcher of one item. */
export interface Watch {
  /** Returns the item's text as soon as it differs from `known`, or after `waitMs`; null if the item is gone. */
  next(known: string | null, waitMs: number): Promise<string | null>;
  end(): void;
}

/** Items that are polled while they have watchers, each once for all its watchers. */
export interface Watches {
  /** Starts watching with the text that the watcher already has. */
  watch(key: string, known: string): Watch;
  stop(): Promise<void>;
}

interface WatchOptions {
  everyMs: number;
  log: Logger;
  /** Returns the item's current text; null if it is gone. */
  look(key: string): Promise<string | null>;
}

interface Watched {
  watchers: number;
  seen: string | null;
  changed: PromiseWithResolvers<void>;
}

export function createWatches({ everyMs, log, look }: WatchOptions): Watches {
  const all = new Map<string, Watched>();

  async function refresh(key: string, watched: Watched): Promise<void> {
    see(watched, await look(key));
  }

  function see(watched: Watched, now: string | null): void {
    if (now === watched.seen) return;
    watched.seen = now;
    watched.changed.resolve();
    watched.changed = Promise.withResolvers();
  }

  async function refreshAll(): Promise<void> {
    const looks = await Promise.allSettled([...all].map(([key, watched]) => refresh(key, watched)));
    const failed = looks.find((outcome) => outcome.status === "rejected");
    if (failed) throw failed.reason; // the next poll tries again
  }

  const loop = repeat({ name: "watches", everyMs, log, work: refreshAll });
  return {
    watch(key, known) {
      const watched = all.get(key) ?? { watchers: 0, seen: known, changed: Promise.withResolvers() };
      all.set(key, watched);
      watched.watchers += 1;
      see(watched, known); // a later watcher has read a newer text
      return {
        async next(known, waitMs) {
          if (watched.seen !== known) return watched.seen;
          const { promise: over, resolve } = Promise.withResolvers<void>();
          const timer = setTimeout(resolve, waitMs);
          await Promise.race([watched.changed.promise, over]);
          clearTimeout(timer);
          return watched.seen;
        },
        end() {
          watched.watchers -= 1;
          if (watched.watchers === 0) all.delete(key);
        },
      };
    },
    stop: () => loop.stop(),
  };
}
