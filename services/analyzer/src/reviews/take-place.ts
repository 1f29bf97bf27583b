import type { BusConnection } from "@leeway/shared/bus/connection";
import { call } from "@leeway/shared/bus/request";
import { hostKindOf } from "@leeway/shared/contracts/webhooks/code-hosts";
import { GetHead } from "@leeway/shared/contracts/webhooks/comments";
import type { Database, OrgStatements } from "@leeway/shared/database/database";
import { unavailable } from "@leeway/shared/values/errors";

import { hostOf, kindInUrl, targetOf, USUAL_CODE_HOST } from "./code-hosts.ts";
import { projectKey } from "./project-key.ts";
import { isTurnedDown } from "../jobs/pause.ts";
import { subjectOf, type Job } from "../jobs/store/jobs.ts";
import type { AnalyzeSubject } from "../jobs/subject.ts";
import { noteHost, noteReview, reviewOf, type NewReview, type Review, type ReviewKey } from "./store.ts";

interface PlaceDependencies {
  database: Database;
  bus: BusConnection;
}

/** A project in a merge or pull request. */
type Place = Omit<NewReview, "jobId">;

type AnalyzeJob = Job & { subject: AnalyzeSubject };

/** Returns the project in a merge or pull request that a plan belongs to; undefined if it belongs to none. */
export function placeOf({
  target,
  repository,
  change_request: change,
  project,
}: AnalyzeSubject): Place | undefined {
  if (repository === undefined || !change) return undefined;
  const { source, config_id: configId } = target ?? {};
  const codeHost = source === undefined ? USUAL_CODE_HOST : hostKindOf(source);
  const key = { host: hostOf(change), repository, number: change.number, project: projectKey({ project }) };
  return { ...key, codeHost, configId };
}

/**
 * Stores a plan as the latest of its project. The last submitted plan wins. If the commits differ, the plan for the merge
 * request's head wins, because the pipeline of an earlier commit may start or end last.
 * @throws {AppError} `unavailable` to retry, unless `last`
 */
export async function takePlace(
  deps: PlaceDependencies,
  job: AnalyzeJob,
  place: Place,
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

/** Returns the host from the plan, or else from the review before it. Adds a newly known host to that review. */
async function hostOfPlace(
  sql: OrgStatements,
  { host }: ReviewKey,
  before: Review | undefined,
): Promise<string> {
  if (host === "") return before?.host ?? "";
  if (before?.host === "") await noteHost(sql, before, host);
  return host;
}

/**
 * Returns the commit of the previous plan if it differs. Undefined for a plan without a comment, which needs no answer
 * from the code host.
 */
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

/** Returns the head commit; undefined if the code host doesn't report it. */
async function headOf(
  { bus }: PlaceDependencies,
  { orgId, subject: { change_request: change } }: AnalyzeJob,
  before: Review,
  { last }: { last: boolean },
): Promise<string | undefined> {
  const target = targetOf(before, change, kindInUrl(change) ?? before.codeHost);
  const head = await call(bus, GetHead, { org_id: orgId, target }).catch((error: unknown) => {
    if (last || isTurnedDown(error)) return undefined; // the result exists and should be shown
    throw error;
  });
  if (head?.done) return head.commit_sha;
  if (head?.problem === "unavailable" && !last) throw unavailable("can't reach the code host");
  return undefined;
}
