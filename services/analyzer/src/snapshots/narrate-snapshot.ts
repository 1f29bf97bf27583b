import { call } from "@leeway/shared/bus/request";
import type { Input } from "@leeway/shared/contract";
import type { NarrateSnapshot, Submitted } from "@leeway/shared/contracts/analyzer/jobs";
import { GetSnapshot, NoteNarrative } from "@leeway/shared/contracts/inventory/posture";
import { derivedId } from "@leeway/shared/derived-id";
import { AppError } from "@leeway/shared/errors";

import { storeJobs } from "../jobs/store/jobs.ts";
import { takeJob, type TakeDependencies } from "../jobs/take-job.ts";

const QUEUED = { status: "queued" } as const;

/**
 * Has a drift snapshot told in words. What nobody but Leeway itself asked for is told once, however often it asks, and
 * by the template where a gate is closed.
 * @throws {AppError} `not_found`; `conflict` while it isn't ready
 */
export async function narrateSnapshot(
  deps: TakeDependencies,
  { org_id, job_id = Bun.randomUUIDv7(), snapshot_id, requested_by }: Input<typeof NarrateSnapshot>,
): Promise<Submitted> {
  const snapshot = await call(deps.bus, GetSnapshot, { org_id, snapshot_id });
  if (snapshot.status !== "ready") throw new AppError("conflict", `the snapshot is ${snapshot.status}`);
  const orgId = org_id.toLowerCase();
  const subject = { kind: "drift_narrative" as const, snapshot_id };
  const isAutomatic = requested_by.type === "system";
  const id = isAutomatic ? derivedId(snapshot_id, "narrative") : job_id;
  return takeJob(deps, { orgId, id, subject, slot: !isAutomatic }, async (job) => {
    const stored = await storeJobs(deps.database.org(orgId), [job]);
    // While nobody is at it, who would say what came of it; a job that was there already may be over.
    if (stored.has(id)) await call(deps.bus, NoteNarrative, { org_id, snapshot_id, narrative: QUEUED });
    return stored;
  });
}
