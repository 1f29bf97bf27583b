import type { BusConnection } from "@leeway/shared/bus/connection";
import { call } from "@leeway/shared/bus/request";
import { GetHead } from "@leeway/shared/contracts/webhooks/comments";
import type { Database, OrgStatements } from "@leeway/shared/database/database";
import { unavailable } from "@leeway/shared/errors";

import { sourceOf, targetOf } from "../comments/change-url.ts";
import { isTurnedDown } from "../jobs/pause.ts";
import { subjectOf, type Job } from "../jobs/store/jobs.ts";
import type { AnalyzeSubject } from "../jobs/subject.ts";
import { noteHost, noteReview, reviewOf, type Review, type ReviewKey } from "./store.ts";

interface PlaceDependencies {
  database: Database;
  bus: BusConnection;
}

type AnalyzeJob = Job & { subject: AnalyzeSubject };

/**
 * Has a plan be the latest of its project: the one that was submitted last, but of two commits that of what the merge
 * request is at. The pipeline of an earlier commit may begin or end last.
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
  const rival = before && (await rivalCommit(sql, job, before));
  const head = rival && (await headOf(deps, job, before, { last }));
  if (head && head === rival) return;
  const isOfHead = head !== undefined && head === job.subject.commit_sha;
  const host = await hostOfPlace(sql, place, before);
  await noteReview(sql, { ...place, host, jobId: job.id }, isOfHead ? before?.jobId : undefined);
}

/** The host that the plan tells, which the one before may not have told, else that of the one before. */
async function hostOfPlace(
  sql: OrgStatements,
  { host }: ReviewKey,
  before: Review | undefined,
): Promise<string> {
  if (host === "") return before?.host ?? "";
  if (before?.host === "") await noteHost(sql, before, host);
  return host;
}

/** The commit of the plan before, if that is another one's; who wishes no comment has no host asked. */
async function rivalCommit(
  sql: OrgStatements,
  { subject }: AnalyzeJob,
  { jobId }: Review,
): Promise<string | undefined> {
  if (!subject.target || !subject.commit_sha) return undefined;
  const before = await subjectOf(sql, jobId);
  const commit = before?.kind === "analyze" ? before.commit_sha : undefined;
  return commit === subject.commit_sha ? undefined : commit;
}

/** Undefined where the code host doesn't say. */
async function headOf(
  { bus }: PlaceDependencies,
  { orgId, subject: { change_request: change } }: AnalyzeJob,
  before: Review,
  { last }: { last: boolean },
): Promise<string | undefined> {
  const target = targetOf(before, change, sourceOf(change) ?? before.source);
  const head = await call(bus, GetHead, { org_id: orgId, target }).catch((error: unknown) => {
    if (last || isTurnedDown(error)) return undefined; // the result is there, and shall be told
    throw error;
  });
  if (head?.done) return head.commit_sha;
  if (head?.problem === "unavailable" && !last) throw unavailable("the code host can't be reached");
  return undefined;
}
