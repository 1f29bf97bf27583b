import type { Logger } from "./log.ts";
import { gauge } from "./metrics.ts";
import { repeat, type Repeated } from "../repeat.ts";

/** What waits in a service's database until somebody works it off. */
export interface Waiting {
  queue: string;
  waiting: number;
  /** How long the oldest has waited; 0 where nothing waits. */
  oldest_seconds: number;
}

const EVERY_MS = 10_000;

const waiting = gauge("waiting", "What waits in the database to be worked off", ["queue"]);
const waitingSeconds = gauge("waiting_seconds", "How long the oldest of it has waited", ["queue"]);

/** Tells again and again how much waits: every process of a service tells the same. */
export function tellBacklog(log: Logger, read: () => Promise<readonly Waiting[]>): Repeated {
  return repeat({
    name: "backlog",
    everyMs: EVERY_MS,
    log,
    async work() {
      for (const { queue, waiting: count, oldest_seconds: seconds } of await read()) {
        waiting.set({ queue }, count);
        waitingSeconds.set({ queue }, seconds);
      }
    },
  });
}
