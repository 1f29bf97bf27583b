import { createFairSemaphore } from "@leeway/shared/concurrency/fair-semaphore";
import { unavailable } from "@leeway/shared/values/errors";

/** Calls verified at once; more than fit into one commit, so that commits are still shared. */
const MAX_RUNNING = 128;
/** Maximum of calls per sender, waiting or running; each holds its body of up to 64 KiB in memory. */
const MAX_OF_SENDER = 2_000;
/** Maximum of calls in total, waiting or running; no sender may hold more than are still free. */
const MAX = 4_000;
/** Maximum wait. Together with verification it is shorter than code hosts wait for a response. */
const PATIENCE_MS = 5_000;

/** A fair queue for the verification of unverified senders: a sender of many calls only delays its own. */
export interface SenderQueue {
  /**
   * Does `work` once the sender has a permit. @throws {AppError} `unavailable` if the wait is too long or the sender
   * has too many calls
   */
  within<T>(sender: string, work: () => Promise<T>): Promise<T>;
}

export function createSenderQueue(): SenderQueue {
  const semaphore = createFairSemaphore(MAX_RUNNING);
  const callsOf = new Map<string, number>();
  let free = MAX;

  async function acquire(sender: string): Promise<void> {
    const wait = semaphore.acquire(sender);
    if (!wait) return;
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      wait.cancel();
      reject(tooMany());
    }, PATIENCE_MS);
    await Promise.race([wait.granted, late]).finally(() => clearTimeout(timer));
  }

  function count(sender: string, change: 1 | -1): void {
    free -= change;
    const calls = (callsOf.get(sender) ?? 0) + change;
    if (calls === 0) callsOf.delete(sender);
    else callsOf.set(sender, calls);
  }

  return {
    async within(sender, work) {
      if ((callsOf.get(sender) ?? 0) >= Math.min(MAX_OF_SENDER, free)) throw tooMany();
      count(sender, 1);
      try {
        await acquire(sender);
        return await work().finally(() => semaphore.release(sender));
      } finally {
        count(sender, -1);
      }
    },
  };
}

function tooMany() {
  return unavailable("too many webhooks are in progress; retry in a moment");
}
