import type { Input } from "@leeway/shared/contract";
import type { Submitted } from "@leeway/shared/contracts/analyzer/jobs";
import { MOST_FIX_SOURCES, type FixNoise, type FixWish } from "@leeway/shared/contracts/analyzer/noise";
import { AppError, invalidParameter } from "@leeway/shared/errors";
import { present } from "@leeway/shared/json";

import { storeJobs } from "../jobs/store/jobs.ts";
import { takeJob, type TakeDependencies } from "../jobs/take-job.ts";
import { claimFix, findFix } from "../noise/store.ts";

/**
 * Has a fix for a kind of noise made.
 * @throws {AppError} `invalid_parameter` for too much code; `not_found`; `conflict` with the `job_id` that is at it already
 */
export async function fixNoise(deps: TakeDependencies, input: Input<typeof FixNoise>): Promise<Submitted> {
  const { fingerprint, source = [], strategy = "auto", open_change_request: wantsRequest = false } = input;
  const { job_id: id = Bun.randomUUIDv7(), repository } = input;
  if (wantsRequest)
    throw invalidParameter("open_change_request", "isn't possible: apply the patches yourself");
  const sources = sourcesAsJson(source);
  const { database } = deps;
  const orgId = input.org_id.toLowerCase();
  const noise = await findFix(database.org(orgId), fingerprint);
  if (!noise) throw noSuchNoise();
  if (noise.jobId !== undefined && noise.jobId !== id) throw underWay(noise.jobId);
  const subject = { kind: "plan_noise_fix" as const, fingerprint, strategy, ...present({ repository }) };
  return takeJob(deps, { orgId, id, subject, input: sources, slot: true }, (job) =>
    database.transaction(orgId, async (tx) => {
      const claimed = await claimFix(tx, fingerprint, id);
      if (claimed === undefined) throw noSuchNoise();
      if (claimed !== id) throw underWay(claimed);
      return storeJobs(tx, [job]);
    }),
  );
}

/** @throws {AppError} `invalid_parameter` for too much */
function sourcesAsJson(source: NonNullable<FixWish["source"]>): string {
  const sources = JSON.stringify(source);
  const { jsonBytes } = MOST_FIX_SOURCES;
  if (Buffer.byteLength(sources) <= jsonBytes) return sources;
  throw invalidParameter("source", `is larger than ${jsonBytes} bytes of JSON`, "too_large");
}

function noSuchNoise(): AppError {
  return new AppError("not_found", "there is no such noise");
}

function underWay(jobId: string): AppError {
  return new AppError("conflict", "a fix is being made already", { fields: { job_id: jobId } });
}
