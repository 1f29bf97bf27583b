import type { Bodies } from "@leeway/shared/bus/bodies";
import type { Input } from "@leeway/shared/contract";
import type { SubmitPlan, Submitted } from "@leeway/shared/contracts/analyzer/jobs";
import { invalidParameter } from "@leeway/shared/errors";
import { inflated } from "@leeway/shared/inflated";

import { sourceOf } from "../comments/change-url.ts";
import type { AnalyzeSubject } from "../jobs/subject.ts";
import { takeJob, type TakeDependencies } from "../jobs/take-job.ts";
import type { PlanReader } from "./plan-reader.ts";
import type { ReadSubmission } from "./read-submission.ts";

export interface SubmitDependencies extends TakeDependencies {
  bodies: Bodies;
  reader: PlanReader;
}

const MOST_BYTES = 20 << 20;

/** Takes a plan for analysis. @throws {AppError} as the contract says */
export async function submitPlan(
  deps: SubmitDependencies,
  { org_id, job_id: id = Bun.randomUUIDv7(), body }: Input<typeof SubmitPlan>,
): Promise<Submitted> {
  const orgId = org_id.toLowerCase();
  const submission = await deps.reader.read(await bytesOf(deps.bodies, body.ref));
  const subject = subjectOf(submission);
  return takeJob(deps, { orgId, id, subject, input: submission.plan, slot: subject.narrative });
}

async function bytesOf(bodies: Bodies, ref: string): Promise<Uint8Array> {
  try {
    return Buffer.concat(await Array.fromAsync(inflated(await bodies.open(ref), MOST_BYTES)));
  } finally {
    await bodies.delete(ref);
  }
}

function subjectOf({ wish, warnings }: ReadSubmission): AnalyzeSubject {
  const { fail_on = "never", narrative = true, comment = false, ...origin } = wish;
  const subject: AnalyzeSubject = { kind: "analyze", ...origin, fail_on, narrative, warnings };
  if (!comment) return subject;
  const { repository, change_request: change } = origin;
  if (repository === undefined) throw invalidParameter("repository", "is required for a comment", "required");
  if (!change) throw invalidParameter("change_request", "is required for a comment", "required");
  const source = sourceOf(change) ?? "vcs";
  return { ...subject, target: { source, repository, number: change.number } };
}
