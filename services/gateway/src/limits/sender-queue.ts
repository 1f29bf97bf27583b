import type { Activity } from "@leeway/shared/concurrency/activity";
import { createCounts } from "@leeway/shared/concurrency/counts";
import {
  createFairSemaphore,
  permitWithin,
  type FairSemaphore,
} from "@leeway/shared/concurrency/fair-semaphore";
import { unavailable } from "@leeway/shared/values/errors";

/** Calls verified at once; more than fit into one commit, so that commits are still shared. */
const MAX_RUNNING = 128;
/**
 * Limit for one organization's calls from one sender while another organization is active, which waits for each of
 * them. Measured: 400 to 500 calls/s on two processors that also run the client.
 */
const MAX_BESIDE = 4;
/** Maximum of calls per sender, waiting or running; each holds its body of up to 64 KiB in memory. */
const MAX_OF_SENDER = 2_000;
/** Maximum of calls in total, waiting or running; no sender may hold more than are still free. */
const MAX = 4_000;
/** Maximum wait. Together with verification it is shorter than code hosts wait for a response. */
const PATIENCE_MS = 5_000;

interface Caller {
  sender: string;
  /** Organization that the sender names, if it names one. */
  orgId?: string;
}

/**
 * A fair queue for the verification of unverified senders: a sender of many calls only delays its own, and an
 * organization's many only delay others for it.
 */
export interface SenderQueue {
  /**
   * Does `work` once the sender has a permit. @throws {AppError} `unavailable` if the wait is too long or the sender
   * has too many calls
   */
  within<T>(caller: Caller, work: () => Promise<T>): Promise<T>;
}

export function createSenderQueue(activity: Activity): SenderQueue {
  const senders = createFairSemaphore(MAX_RUNNING);
  // By sender, too: others may call an organization's address, but must not delay its own senders.
  const organizations = createFairSemaphore(Infinity, (key) =>
    activity.isShared(orgIn(key)) ? MAX_BESIDE : Infinity,
  );
  const calls = createCounts();
  let free = MAX;

  function count(sender: string, change: 1 | -1): void {
    free -= change;
    calls.add(sender, change);
  }

  return {
    async within({ sender, orgId }, work) {
      if (calls.of(sender) >= Math.min(MAX_OF_SENDER, free)) throw tooMany();
      count(sender, 1);
      const deadline = performance.now() + PATIENCE_MS;
      try {
        const verify = () => inTurn(senders, sender, deadline, work);
        if (orgId === undefined) return await verify();
        return await inTurn(organizations, `${orgId} ${sender}`, deadline, verify);
      } finally {
        count(sender, -1);
      }
    },
  };
}

/** @throws {AppError} `unavailable` if there is no permit until the deadline */
async function inTurn<T>(
  semaphore: FairSemaphore,
  key: string,
  deadline: number,
  work: () => Promise<T>,
): Promise<T> {
  await permitWithin(semaphore.acquire(key), Math.max(0, deadline - performance.now()), tooMany);
  try {
    return await work();
  } finally {
    semaphore.release(key);
  }
}

function orgIn(key: string): string {
  return key.slice(0, key.indexOf(" "));
}

function tooMany() {
  return unavailable("too many webhooks are in progress; retry in a moment");
}
