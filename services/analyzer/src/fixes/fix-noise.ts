import type { Input } from "@leeway/shared/contracts/contract";
import type { Submitted } from "@leeway/shared/contracts/analyzer/jobs";
import { MAX_FIX_SOURCES, type FixNoise, type FixInput } from "@leeway/shared/contracts/analyzer/noise";
import { AppError, invalidParameter } from "@leeway/shared/values/errors";
import { present } from "@leeway/shared/values/json";

import type { FixSubject } from "../jobs/subject.ts";
import { storeJobs } from "../jobs/store/jobs.ts";
import { takeJob, type TakeDependencies } from "../jobs/take-job.ts";
import { claimFix, findFix } from "../noise/store.ts";
import { sourceToFix } from "./source-to-fix.ts";

/**
 * Queues a fix for a kind of noise.
 * @throws {AppError} `invalid_parameter` for too much code; `not_found`; `conflict` with the `job_id` of a fix in
 * progress
 */
export async function fixNoise(deps: TakeDependencies, input: Input<typeof FixNoise>): Promise<Submitted> {
  const { fingerprint, source = [], strategy = "auto" } = input;
  const { job_id: id = Bun.randomUUIDv7(), repository } = input;
  const sources = sourcesAsJson(source);
  const { database } = deps;
  const orgId = input.org_id.toLowerCase();
  const noise = await findFix(database.org(orgId), fingerprint);
  if (!noise) throw noSuchNoise();
  if (noise.jobId !== undefined && noise.jobId !== id) throw underWay(noise.jobId);
  const request = await requestedIn(deps, input);
  const subject = {
    kind: "plan_noise_fix" as const,
    fingerprint,
    strategy,
    ...present({ repository, request }),
  };
  return takeJob(deps, { orgId, id, subject, input: sources, slot: true }, (job) =>
    database.transaction(orgId, async (tx) => {
      const claimed = await claimFix(tx, fingerprint, id);
      if (claimed === undefined) throw noSuchNoise();
      if (claimed !== id) throw underWay(claimed);
      return storeJobs(tx, [job]);
    }),
  );
}

/** Returns the source whose merge or pull request is wanted. @throws {AppError} `invalid_parameter` */
async function requestedIn(
  deps: TakeDependencies,
  { org_id: orgId, requested_by: decidedBy, ...input }: Input<typeof FixNoise>,
): Promise<FixSubject["request"]> {
  if (input.open_change_request !== true) return undefined;
  if (input.source !== undefined)
    throw invalidParameter("source", "isn't allowed with open_change_request, which reads the repository");
  const { id } = await sourceToFix(deps, orgId, input);
  return { source_id: id, decided_by: decidedBy };
}

/** @throws {AppError} `invalid_parameter` if the code is too large */
function sourcesAsJson(source: NonNullable<FixInput["source"]>): string {
  const sources = JSON.stringify(source);
  const { jsonBytes } = MAX_FIX_SOURCES;
  if (Buffer.byteLength(sources) <= jsonBytes) return sources;
  throw invalidParameter("source", `exceeds the limit of ${jsonBytes} bytes as JSON`, "too_large");
}

function noSuchNoise(): AppError {
  return new AppError("not_found", "no plan noise has this fingerprint");
}

function underWay(jobId: string): AppError {
  return new AppError("conflict", "a fix for this noise is already in progress; see job_id", {
    fields: { job_id: jobId },
  });
}
