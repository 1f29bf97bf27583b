import { publish } from "@leeway/shared/bus/publish";
import { withContext } from "@leeway/shared/context";
import { JobQueued } from "@leeway/shared/contracts/analyzer/jobs";
import type { Platform } from "@leeway/shared/service";

import { overdueJobs } from "./store/jobs.ts";

/** Gives stored jobs to the bus. What it misses, the database knows: the sweep offers it again. */
export interface Outbox {
  /** Offers a job that has just been stored; never fails. */
  offer(orgId: string, jobId: string): void;
  /** Offers every job that has waited for too long. */
  sweep(): Promise<void>;
}

/** What is on its way to the bus at once; what doesn't fit is left to the sweep. */
const MOST_UNDER_WAY = 500;
/** Overdue: what the bus should have brought long ago, and what was offered, or begun, and still isn't over. */
const OVERDUE = { newSeconds: 5, offeredSeconds: 180, limit: 500 };

export function createOutbox({ database, bus, log }: Platform): Outbox {
  let underWay = 0;

  async function give(orgId: string, jobId: string): Promise<void> {
    const id = crypto.randomUUID(); // a job may be offered again within the stream's window for repeats
    await withContext({ requestId: id }, () => publish(bus, JobQueued, { org_id: orgId, job_id: jobId }, id));
  }

  return {
    offer(orgId, jobId) {
      if (underWay >= MOST_UNDER_WAY || !bus.connected) return;
      underWay += 1;
      give(orgId, jobId)
        .catch((error: unknown) => log.warn({ error }, "a job wasn't taken; it will be swept up"))
        .finally(() => {
          underWay -= 1;
        });
    },
    async sweep() {
      if (!bus.connected) return;
      for (const { org_id, id } of await overdueJobs(database.system, OVERDUE)) await give(org_id, id);
    },
  };
}
