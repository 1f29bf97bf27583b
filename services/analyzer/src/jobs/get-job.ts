import type { ReadyJson } from "@leeway/shared/bus/answer";
import type { Input } from "@leeway/shared/contract";
import type { GetJob } from "@leeway/shared/contracts/analyzer/jobs";
import type { Database } from "@leeway/shared/database/database";
import { AppError } from "@leeway/shared/errors";

import type { KeyRing } from "@leeway/shared/encryption/keyring";

import type { EndedJobs } from "./ended.ts";
import { openResult } from "./input.ts";
import { shownJob, withResult } from "./store/shown-jobs.ts";

/** What was told and got lost is found by looking once more. */
const LOOK_AGAIN_MS = 3_000;

/** A job, once it is over or the time to wait is. @throws {AppError} `not_found` */
export async function getJob(
  { database, ring, ended }: { database: Database; ring: KeyRing; ended: EndedJobs },
  { org_id, job_id, wait = 0 }: Input<typeof GetJob>,
): Promise<ReadyJson> {
  const jobId = job_id.toLowerCase();
  const until = performance.now() + wait * 1_000;
  for (;;) {
    const left = until - performance.now();
    const waiting = ended.wait(jobId, Math.max(0, Math.min(left, LOOK_AGAIN_MS))); // before looking, so that no end is missed
    try {
      const job = await shownJob(database.org(org_id), jobId);
      if (!job) throw new AppError("not_found", "there is no such job");
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
