import type { Logger } from "./log.ts";
import { gauge } from "./metrics.ts";
import { repeat, type Repeated } from "../repeat.ts";

/** A queue in a service's database, with its backlog. */
export interface Waiting {
  queue: string;
  waiting: number;
  /** Time that the oldest entry has waited; 0 if the queue is empty. */
  oldest_seconds: number;
}

const EVERY_MS = 10_000;

const waiting = gauge("waiting", "Entries in a database queue that wait to be processed", ["queue"]);
const waitingSeconds = gauge("waiting_seconds", "Age of the oldest waiting entry", ["queue"]);

/** Updates the backlog metrics periodically. Every process of a service reports the same values. */
export function reportBacklog(log: Logger, read: () => Promise<readonly Waiting[]>): Repeated {
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
