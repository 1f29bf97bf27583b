import { createOffers } from "@leeway/shared/bus/offers";
import { publish } from "@leeway/shared/bus/publish";
import { withContext } from "@leeway/shared/context";
import { JobQueued } from "@leeway/shared/contracts/analyzer/jobs";
import type { Platform } from "@leeway/shared/service";

import { PROMPT_SECONDS } from "./pause.ts";
import { overdueJobs, queuedJobs, withdrawOffers } from "./store/offers.ts";

/** A job as the bus brings it. */
export interface Offered {
  orgId: string;
  id: string;
  /** Whether nobody works on it any more, though it was begun. */
  abandoned: boolean;
}

/** Gives stored jobs to the bus. What it misses, the database knows: the sweep offers it again. */
export interface Outbox {
  /** Offers a job that has just been stored; never fails. */
  offer(orgId: string, jobId: string): void;
  /** Offers a job that the bus brought too early. @throws {AppError} `unavailable` when the bus didn't take it */
  offerAgain(job: Offered): Promise<void>;
  /** Offers a job that is left alone for so long as soon as that is over; where this process is gone by then, the sweep does. */
  offerLater(orgId: string, jobId: string, pauseSeconds: number): void;
  /** Offers every job that has waited for too long. */
  sweep(): Promise<void>;
  /**
   * Offers what nobody has begun: a process that was killed may have put jobs aside that the bus has forgotten.
   * Who hears of one twice begins it once.
   */
  resume(): Promise<void>;
}

/**
 * Overdue: what the bus should have brought long ago, and what was offered, or begun, and still isn't over: by then the
 * stream has forgotten its id. */
const OVERDUE = { newSeconds: 5, offeredSeconds: 180, limit: 500 };
const MOST_RESUMED = 10_000;

export function createOutbox({ database, bus, log }: Platform): Outbox {
  const offer = createOffers(bus, log);

  /** Under the job's own id it is there once, though it waits behind many and is swept up meanwhile. */
  async function give({ orgId, id, abandoned }: Offered, messageId: string): Promise<void> {
    const requestId = crypto.randomUUID();
    const job = { org_id: orgId, job_id: id, ...(abandoned && { abandoned }) };
    await withContext({ requestId }, () => publish(bus, JobQueued, job, messageId));
  }

  return {
    offer: (orgId, id) => offer(() => give({ orgId, id, abandoned: false }, id)),
    offerAgain: (job) => give(job, crypto.randomUUID()),
    offerLater(orgId, id, pauseSeconds) {
      // What is left alone for less was tried promptly, and something is down: that is the sweep's, which takes its time.
      if (pauseSeconds <= PROMPT_SECONDS) return;
      const again = (): unknown => give({ orgId, id, abandoned: true }, crypto.randomUUID()).catch(() => {});
      setTimeout(again, pauseSeconds * 1000).unref();
    },
    async resume() {
      for (const { org_id: orgId, id } of await queuedJobs(database.system, MOST_RESUMED)) {
        await give({ orgId, id, abandoned: false }, crypto.randomUUID());
      }
    },
    async sweep() {
      if (!bus.connected) return;
      const overdue = await overdueJobs(database.system, OVERDUE);
      let given = 0;
      try {
        for (const { org_id, id, begun } of overdue) {
          await give({ orgId: org_id, id, abandoned: begun }, id);
          given += 1;
        }
      } finally {
        // What the bus didn't take must not wait as long as if it had: the next sweep finds it again.
        for (const [orgId, left] of Map.groupBy(overdue.slice(given), ({ org_id }) => org_id)) {
          const ids = left.map(({ id }) => id);
          await withdrawOffers(database.org(orgId), ids);
        }
      }
    },
  };
}
