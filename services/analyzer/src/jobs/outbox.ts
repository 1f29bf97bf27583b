import { publish } from "@leeway/shared/bus/publish";
import { JobQueued } from "@leeway/shared/contracts/analyzer/jobs";
import { createOutbox, type Outbox } from "@leeway/shared/service/outbox";
import type { Platform } from "@leeway/shared/service/service";

import { PROMPT_SECONDS } from "./pause.ts";
import { overdueJobs, queuedJobs, withdrawOffers } from "./store/offers.ts";

/** Job as the bus delivers it. */
export interface Offered {
  orgId: string;
  id: string;
  /** Whether a worker began the job and no longer works on it. */
  abandoned: boolean;
}

/** Stored job to publish. */
interface Waiting {
  id: string;
  begun?: boolean;
}

/** Publishes stored jobs on the bus. */
export interface JobOutbox extends Outbox<Waiting> {
  /**
   * Offers a job again that was delivered too early.
   * @throws {AppError} `unavailable` when the bus didn't accept it
   */
  offerAgain(job: Offered): Promise<void>;
  /** Offers a paused job when its pause ends. If this process has stopped by then, the sweep does it. */
  offerLater(orgId: string, jobId: string, pauseSeconds: number): void;
  /**
   * Offers all queued jobs: a killed process may have taken jobs that the bus no longer has. A job offered twice is
   * begun once.
   */
  resume(): Promise<void>;
}

const SWEEP_MS = 1_000;
/**
 * Limits for overdue jobs: new ones that weren't delivered, and offered or begun ones that haven't ended. By then the
 * stream no longer deduplicates their ids.
 */
const OVERDUE = { newSeconds: 5, offeredSeconds: 180, limit: 500 };
const MAX_RESUMED = 10_000;

export function createJobOutbox(platform: Platform): JobOutbox {
  const { database, bus } = platform;

  /** Publishes a job. With its own id as the message id the stream holds it once, even if the sweep offers it again. */
  function give({ orgId, id, abandoned }: Offered, messageId: string): Promise<void> {
    const job = { org_id: orgId, job_id: id, ...(abandoned && { abandoned }) };
    return publish(bus, JobQueued, job, messageId);
  }

  async function resume(): Promise<void> {
    for (const { org_id: orgId, id } of await queuedJobs(database.system, MAX_RESUMED))
      await give({ orgId, id, abandoned: false }, crypto.randomUUID());
  }

  const outbox = createOutbox<Waiting>(platform, {
    name: "outbox",
    everyMs: SWEEP_MS,
    limit: OVERDUE.limit,
    claim: () => overdueJobs(database.system, OVERDUE),
    async send(orgId, jobs) {
      for (const { id, begun = false } of jobs) await give({ orgId, id, abandoned: begun }, id);
    },
    withdraw: (orgId, jobs) => withdrawOffers(database.org(orgId), jobs),
    resume,
  });
  return {
    ...outbox,
    resume,
    offerAgain: (job) => give(job, crypto.randomUUID()),
    offerLater(orgId, id, pauseSeconds) {
      // After shorter pauses the prompt attempts have failed, so a dependency is down: the sweep retries those jobs
      // later.
      if (pauseSeconds <= PROMPT_SECONDS) return;
      const again = (): unknown => give({ orgId, id, abandoned: true }, crypto.randomUUID()).catch(() => {});
      setTimeout(again, pauseSeconds * 1000).unref();
    },
  };
}
