import { call } from "@leeway/shared/bus/request";
import type { Input } from "@leeway/shared/contracts/contract";
import type { NarrateSnapshot, Submitted } from "@leeway/shared/contracts/analyzer/jobs";
import { GetSnapshot, NoteNarrative } from "@leeway/shared/contracts/inventory/posture";
import { derivedId } from "@leeway/shared/values/derived-id";
import { AppError } from "@leeway/shared/values/errors";

import { storeJobs } from "../jobs/store/jobs.ts";
import { takeJob, type TakeDependencies } from "../jobs/take-job.ts";
import { lockNarration, narratingJob } from "./store.ts";

const QUEUED = { status: "queued" } as const;

/**
 * Takes a job that writes the narrative of a drift snapshot; returns the running job if there is one. Leeway's own
 * requests create one job per snapshot, and use the template if a gate is closed.
 * @throws {AppError} `not_found`; `conflict` while the snapshot isn't ready
 */
export async function narrateSnapshot(
  deps: TakeDependencies,
  { org_id, job_id = Bun.randomUUIDv7(), snapshot_id, requested_by }: Input<typeof NarrateSnapshot>,
): Promise<Submitted> {
  const snapshot = await call(deps.bus, GetSnapshot, { org_id, snapshot_id });
  if (snapshot.status !== "ready")
    throw new AppError("conflict", `the snapshot has status ${snapshot.status} and must be ready`);
  const orgId = org_id.toLowerCase();
  const snapshotId = snapshot_id.toLowerCase();
  const isAutomatic = requested_by.type === "system";
  const id = isAutomatic
    ? derivedId(snapshot_id, "narrative")
    : ((await narratingJob(deps.database.org(orgId), snapshotId)) ?? job_id);
  const subject = { kind: "drift_narrative" as const, snapshot_id: snapshotId };
  const request = { orgId, id, subject, slot: !isAutomatic };
  let other: string | undefined;
  try {
    return await takeJob(deps, request, async (job) => {
      const stored = await deps.database.transaction(orgId, async (tx) => {
        await lockNarration(tx, snapshotId);
        if (!isAutomatic) other = await narratingJob(tx, snapshotId);
        if (other !== undefined) throw new Error("another request started this narrative at the same time");
        return storeJobs(tx, [job]);
      });
      // Marked before a worker begins the job and reports its outcome. An existing job may have ended already.
      if (stored.has(id)) await call(deps.bus, NoteNarrative, { org_id, snapshot_id, narrative: QUEUED });
      return stored;
    });
  } catch (error) {
    if (other === undefined) throw error;
    return takeJob(deps, { ...request, id: other });
  }
}
