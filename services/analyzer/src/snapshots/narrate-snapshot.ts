import { call } from "@leeway/shared/bus/request";
import type { Input } from "@leeway/shared/contract";
import type { NarrateSnapshot, Submitted } from "@leeway/shared/contracts/analyzer/jobs";
import { GetSnapshot, NoteNarrative } from "@leeway/shared/contracts/inventory/posture";
import { derivedId } from "@leeway/shared/derived-id";
import { AppError } from "@leeway/shared/errors";

import { storeJobs } from "../jobs/store/jobs.ts";
import { takeJob, type TakeDependencies } from "../jobs/take-job.ts";
import { lockNarration, narratingJob } from "./store.ts";

const QUEUED = { status: "queued" } as const;

/**
 * Has a drift snapshot told in words. While that is done already, it is the same job. What nobody but Leeway itself asked
 * for is told once, however often it asks, and by the template where a gate is closed.
 * @throws {AppError} `not_found`; `conflict` while it isn't ready
 */
export async function narrateSnapshot(
  deps: TakeDependencies,
  { org_id, job_id = Bun.randomUUIDv7(), snapshot_id, requested_by }: Input<typeof NarrateSnapshot>,
): Promise<Submitted> {
  const snapshot = await call(deps.bus, GetSnapshot, { org_id, snapshot_id });
  if (snapshot.status !== "ready") throw new AppError("conflict", `the snapshot is ${snapshot.status}`);
  const orgId = org_id.toLowerCase();
  const snapshotId = snapshot_id.toLowerCase();
  const isAutomatic = requested_by.type === "system";
  const id = isAutomatic
    ? derivedId(snapshot_id, "narrative")
    : ((await narratingJob(deps.database.org(orgId), snapshotId)) ?? job_id);
  const subject = { kind: "drift_narrative" as const, snapshot_id: snapshotId };
  const wish = { orgId, id, subject, slot: !isAutomatic };
  let other: string | undefined;
  try {
    return await takeJob(deps, wish, async (job) => {
      const stored = await deps.database.transaction(orgId, async (tx) => {
        await lockNarration(tx, snapshotId);
        if (!isAutomatic) other = await narratingJob(tx, snapshotId);
        if (other !== undefined) throw new Error("somebody else asked for it in the meantime");
        return storeJobs(tx, [job]);
      });
      // While nobody is at it, who would say what came of it; a job that was there already may be over.
      if (stored.has(id)) await call(deps.bus, NoteNarrative, { org_id, snapshot_id, narrative: QUEUED });
      return stored;
    });
  } catch (error) {
    if (other === undefined) throw error;
    return takeJob(deps, { ...wish, id: other });
  }
}
