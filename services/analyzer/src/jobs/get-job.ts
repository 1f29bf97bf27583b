import type { ReadyJson } from "@leeway/shared/bus/answer";
import type { Input } from "@leeway/shared/contracts/contract";
import type { GetJob } from "@leeway/shared/contracts/analyzer/jobs";
import type { Database } from "@leeway/shared/database/database";
import { AppError } from "@leeway/shared/values/errors";

import type { KeyRing } from "@leeway/shared/security/encryption/keyring";

import type { EndedJobs } from "./ended.ts";
import { openResult } from "./input.ts";
import { shownJob, withResult } from "./store/shown-jobs.ts";

/** Interval at which a waiting call reads the job again, in case the notice of its end was lost. */
const LOOK_AGAIN_MS = 3_000;

/**
 * Returns a job as soon as it ends or `wait` seconds have passed.
 * @throws {AppError} `not_found`
 */
export async function getJob(
  { database, ring, ended }: { database: Database; ring: KeyRing; ended: EndedJobs },
  { org_id, job_id, wait = 0 }: Input<typeof GetJob>,
): Promise<ReadyJson> {
  const jobId = job_id.toLowerCase();
  const until = performance.now() + wait * 1_000;
  for (;;) {
    const left = until - performance.now();
    // registered before the read, so that no end is missed
    const waiting = ended.wait(jobId, Math.max(0, Math.min(left, LOOK_AGAIN_MS)));
    try {
      const job = await shownJob(database.org(org_id), jobId);
      if (!job) throw new AppError("not_found", "the job doesn't exist, or its retention has ended");
      if (job.isOver || left <= 0) return { json: opened(ring, org_id, jobId, job) };
      await waiting.over;
    } finally {
      waiting.forget();
    }
  }
}

function opened(
  ring: KeyRing,
  orgId: string,
  jobId: string,
  { json, sealed }: { json: string; sealed: Uint8Array | undefined },
): string {
  return sealed ? withResult(json, openResult(ring, orgId, jobId, sealed)) : json;
}
