import type { BusConnection } from "@leeway/shared/bus/connection";
import { call } from "@leeway/shared/bus/request";
import { GetHead } from "@leeway/shared/contracts/webhooks/comments";
import type { Database } from "@leeway/shared/database/database";
import { unavailable } from "@leeway/shared/errors";
import { present } from "@leeway/shared/json";

import { subjectOf, type Job } from "../jobs/store/jobs.ts";
import type { AnalyzeSubject } from "../jobs/subject.ts";
import { noteReview, reviewOf, type Review } from "./store.ts";

interface PlaceDependencies {
  database: Database;
  bus: BusConnection;
}

type AnalyzeJob = Job & { subject: AnalyzeSubject };

/**
 * Has a plan be the latest of its project, unless the one before it is of what the merge request is at: the pipeline of an
 * earlier commit may end last.
 * @throws {AppError} `unavailable` to be tried again, unless it is the last time
 */
export async function takePlace(
  deps: PlaceDependencies,
  job: AnalyzeJob,
  place: Omit<Review, "jobId" | "commentUrl">,
  { last }: { last: boolean },
): Promise<void> {
  const sql = deps.database.org(job.orgId);
  const before = await reviewOf(sql, place);
  if (before && (await isOfHead(deps, job, before, { last }))) return;
  await noteReview(sql, { ...place, jobId: job.id });
}

/** Whether the plan before is of the head, and this one of another commit; who wishes no comment has no host asked. */
async function isOfHead(
  deps: PlaceDependencies,
  { orgId, subject }: AnalyzeJob,
  review: Review,
  how: { last: boolean },
): Promise<boolean> {
  if (!subject.target || !subject.commit_sha) return false;
  const before = await subjectOf(deps.database.org(orgId), review.jobId);
  const commit = before?.kind === "analyze" ? before.commit_sha : undefined;
  if (!commit || commit === subject.commit_sha) return false;
  return (await headOf(deps, orgId, review, how)) === commit;
}

/** Undefined where the code host doesn't say. */
async function headOf(
  { bus }: PlaceDependencies,
  orgId: string,
  { source, repository, number, configId }: Review,
  { last }: { last: boolean },
): Promise<string | undefined> {
  const target = { source, repository, number, ...present({ config_id: configId }) };
  const head = await call(bus, GetHead, { org_id: orgId, target }).catch((error: unknown) => {
    if (last) return undefined; // the result is there, and shall be told
    throw error;
  });
  if (head?.done) return head.commit_sha;
  if (head?.problem === "unavailable" && !last) throw unavailable("the code host can't be reached");
  return undefined;
}
