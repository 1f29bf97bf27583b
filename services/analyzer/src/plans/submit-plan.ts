import type { Bodies } from "@leeway/shared/bus/bodies";
import type { Input } from "@leeway/shared/contracts/contract";
import type { SubmitPlan, Submitted } from "@leeway/shared/contracts/analyzer/jobs";
import { wordOf } from "@leeway/shared/contracts/webhooks/code-hosts";
import { invalidParameter } from "@leeway/shared/values/errors";
import { inflated } from "@leeway/shared/values/inflated";
import { present } from "@leeway/shared/values/json";
import { requireSpeaksFor } from "@leeway/shared/contracts/speaks-for";

import { audit } from "../audit.ts";
import { kindInUrl, USUAL_CODE_HOST } from "../reviews/code-hosts.ts";
import { storeJobs } from "../jobs/store/jobs.ts";
import type { AnalyzeSubject } from "../jobs/subject.ts";
import { takeJob, type TakeDependencies } from "../jobs/take-job.ts";
import type { PlanReader } from "../plan-reader.ts";
import type { ReadSubmission } from "./read-submission.ts";
import { repositoryOf, type Reports } from "./reports.ts";
import { submissionFact } from "./submission-fact.ts";

export interface SubmitDependencies extends TakeDependencies {
  bodies: Bodies;
  reader: PlanReader;
  reports: Reports;
}

const MAX_BYTES = 20 << 20;

/** Accepts a plan for analysis. @throws {AppError} as the contract says */
export async function submitPlan(
  deps: SubmitDependencies,
  { org_id, job_id: id = Bun.randomUUIDv7(), speaks_for, body }: Input<typeof SubmitPlan>,
): Promise<Submitted> {
  const orgId = org_id.toLowerCase();
  const submission = await deps.reader.read(orgId, await bytesOf(deps.bodies, body.ref));
  const subject: AnalyzeSubject = { ...subjectOf(submission), ...present({ host: speaks_for?.host }) };
  requireSpeaksFor(speaks_for, repositoryOf(subject), "the plan");
  await deps.reports.requireOwn(orgId, subject);
  return takeJob(deps, { orgId, id, subject, input: submission.plan, slot: subject.narrative }, (job) =>
    deps.database.transaction(orgId, async (tx) => {
      const stored = await storeJobs(tx, [job]);
      if (stored.has(id)) await audit(tx, submissionFact(id, subject));
      return stored;
    }),
  );
}

async function bytesOf(bodies: Bodies, ref: string): Promise<Uint8Array> {
  try {
    return Buffer.concat(await Array.fromAsync(inflated(await bodies.open(ref), MAX_BYTES)));
  } finally {
    await bodies.delete(ref);
  }
}

function subjectOf({ options }: ReadSubmission): AnalyzeSubject {
  const { fail_on = "never", narrative = true, comment = false, ...origin } = options;
  const subject: AnalyzeSubject = { kind: "analyze", ...origin, fail_on, narrative };
  if (!comment) return subject;
  const { repository, change_request: change } = origin;
  if (repository === undefined)
    throw invalidParameter("repository", "is required if comment is true", "required");
  if (!change) throw invalidParameter("change_request", "is required if comment is true", "required");
  const source = wordOf(kindInUrl(change) ?? USUAL_CODE_HOST);
  return { ...subject, target: { source, repository, number: change.number } };
}
