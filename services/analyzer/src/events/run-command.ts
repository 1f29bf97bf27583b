import {
  explainReply,
  fixReply,
  helpReply,
  ignoredReply,
  nothingReply,
  rescanReply,
  statusReply,
  unknownReply,
  type ProjectResult,
} from "@leeway/analysis/comment/replies";
import { call } from "@leeway/shared/bus/request";
import type { AnalyzeResult } from "@leeway/shared/contracts/analyzer/analysis";
import type { Command } from "@leeway/shared/contracts/webhooks/events";
import { RescanProjects } from "@leeway/shared/contracts/inventory/scans";
import { derivedId } from "@leeway/shared/derived-id";
import { present } from "@leeway/shared/json";
import type { KeyRing } from "@leeway/shared/encryption/keyring";

import { hostOf, sourceOf } from "../comments/change-url.ts";
import type { CommentDependencies } from "../comments/comment-on.ts";
import { proposeStoredFix } from "../fixes/propose-stored-fix.ts";
import { openInput, sealInput } from "../jobs/input.ts";
import type { Outbox } from "../jobs/outbox.ts";
import { JOB_DAYS, resultOf, sealedInput, storeJobs, subjectOf, type Job } from "../jobs/store/jobs.ts";
import type { AnalyzeSubject, CommentSubject } from "../jobs/subject.ts";
import { muteNoise, unmuteNoise } from "../noise/store.ts";
import { sourceNames } from "../reviews/project-key.ts";
import { reviewsOf, type Review } from "../reviews/store.ts";
import { decideDrift, isOfDrift } from "./decide-drift.ts";
import { untilInstant } from "./until.ts";

export interface CommandDependencies extends CommentDependencies {
  ring: KeyRing;
  outbox: Outbox;
}

type CommandJob = Job & { subject: CommentSubject };
type Muting = Extract<Command, { verb: "ignore" }>;

const NOT_ANALYSED = "No plan of this merge request has been analysed yet.";
const GONE = "What was planned is kept for seven days, and is gone: have it planned once more.";
const FORGOTTEN = `What came of a plan is kept for ${JOB_DAYS} days, and is gone: have it planned once more.`;

/** Does what a command says. Doing it twice changes nothing more. @returns the answer, in Markdown */
export async function runCommand(deps: CommandDependencies, job: CommandJob): Promise<string> {
  const { command } = job.subject.event;
  switch (command.verb) {
    case "help":
      return helpReply();
    case "unknown":
      return unknownReply(command.problem);
    case "analyze":
      return analyzeAgain(deps, job);
    case "status":
      return status(deps, job);
    case "explain":
      return explain(deps, job, command.address);
    case "ignore":
      return ignore(deps, job, command);
    case "unignore":
      return unignore(deps, job, command.fingerprint);
    case "fix":
      return fix(deps, job, command.fingerprint);
    case "rescan":
      return rescan(deps, job);
  }
}

/** The latest plan of each project of a merge request; without its subject where that is kept no longer. */
async function reviewsOfJob(
  { database }: CommandDependencies,
  { orgId, subject: { event } }: CommandJob,
): Promise<(Review & { subject?: AnalyzeSubject })[]> {
  const sql = database.org(orgId);
  const { repository, change_request: change, comment } = event;
  const host = hostOf({ ...comment, ...change });
  const reviews = await reviewsOf(sql, { host, repository, number: change.number });
  const found = reviews.map(async (review) => {
    const subject = await subjectOf(sql, review.jobId);
    return subject?.kind === "analyze" ? { ...review, subject } : review;
  });
  const known = await Promise.all(found);
  // A mirror's pull request isn't the merge request.
  return known.filter((one) => !("subject" in one) || sourceOf(one.subject.change_request) !== "planner");
}

/** The latest results of a merge request's plans, by project, and why there are none where there are none. */
async function latestOf(
  deps: CommandDependencies,
  job: CommandJob,
): Promise<{ latest: ProjectResult[]; without: string }> {
  const sql = deps.database.org(job.orgId);
  const latest: ProjectResult[] = [];
  const reviews = await reviewsOfJob(deps, job);
  for (const { jobId, subject } of reviews) {
    const text = subject && (await resultOf(sql, jobId));
    if (text === undefined) continue;
    const result: AnalyzeResult = JSON.parse(text);
    latest.push({ result, ...present({ project: subject?.project }) });
  }
  return { latest, without: reviews.length > 0 ? FORGOTTEN : NOT_ANALYSED };
}

/** What is known of the plans of a merge request, by project. */
async function status(deps: CommandDependencies, job: CommandJob): Promise<string> {
  const { latest, without } = await latestOf(deps, job);
  return latest.length > 0 ? statusReply(latest.map((one) => ({ status: "done", ...one }))) : without;
}

/** Sources are usually called as the project, its directory or its repository is. */
async function rescan(deps: CommandDependencies, job: CommandJob): Promise<string> {
  const { orgId } = job;
  const names = new Set<string>();
  for (const { subject, repository } of await reviewsOfJob(deps, job)) {
    if (!subject) continue;
    for (const name of [...sourceNames(subject), repository]) names.add(name);
  }
  const project_names = [...names];
  const requested_by = { type: "system" as const, id: "comment" };
  const { accounts } = await call(deps.bus, RescanProjects, { org_id: orgId, requested_by, project_names });
  return rescanReply(accounts, project_names);
}

async function explain(deps: CommandDependencies, job: CommandJob, address: string): Promise<string> {
  const { latest, without } = await latestOf(deps, job);
  return latest.length > 0 ? explainReply(latest, address) : without;
}

/** Whoever ignores something by a command says all of it. */
const NOTHING = { until: null, reason: null };

async function ignore(
  { database, bus }: CommandDependencies,
  { orgId, createdAt, subject }: CommandJob,
  { fingerprint, until, reason }: Muting,
): Promise<string> {
  const end = until === undefined ? undefined : untilInstant(until, createdAt);
  if (until !== undefined && end === undefined) return unknownReply(`${until} is no day`);
  if (end && end.getTime() <= Date.now()) return unknownReply(`${until} is over`);
  const told = present({ until: end?.toISOString(), reason });
  const found = isOfDrift(fingerprint)
    ? await decideDrift(bus, subject, { org_id: orgId, fingerprint, status: "ignored", ...told })
    : await muteNoise(database.org(orgId), fingerprint, { ...NOTHING, ...present({ until: end, reason }) });
  return found ? ignoredReply({ fingerprint, ...told }) : nothingReply(fingerprint);
}

async function unignore(
  { database, bus }: CommandDependencies,
  { orgId, subject }: CommandJob,
  fingerprint: string,
): Promise<string> {
  const found = isOfDrift(fingerprint)
    ? await decideDrift(bus, subject, { org_id: orgId, fingerprint, status: "open" })
    : await unmuteNoise(database.org(orgId), fingerprint);
  return found ? ignoredReply({ fingerprint, undone: true }) : nothingReply(fingerprint);
}

async function fix(
  deps: CommandDependencies,
  { orgId, subject }: CommandJob,
  fingerprint: string,
): Promise<string> {
  if (isOfDrift(fingerprint)) return unknownReply(`only noise has a fix, and ${fingerprint} is of drift`);
  const { repository } = subject.event;
  const wish = { fingerprint, repository, sources: [], strategy: "auto" as const };
  const fixed = await proposeStoredFix(deps.database.org(orgId), wish);
  return fixed ? fixReply(fixed) : nothingReply(fingerprint);
}

/** Has the latest plan of each project analysed once more: settings, muted noise and models may be others now. */
async function analyzeAgain(deps: CommandDependencies, job: CommandJob): Promise<string> {
  const sql = deps.database.org(job.orgId);
  const reviews = await reviewsOfJob(deps, job);
  let count = 0;
  for (const { jobId, project, subject } of reviews) {
    const sealed = subject && (await sealedInput(sql, jobId));
    if (!sealed) continue;
    const id = derivedId(job.id, project);
    const text = openInput(deps.ring, job.orgId, jobId, sealed);
    await storeJobs(sql, [
      { id, subject: { ...subject, again: true }, input: sealInput(deps.ring, job.orgId, id, text) },
    ]);
    deps.outbox.offer(job.orgId, id);
    count += 1;
  }
  if (count === 0) return reviews.length === 0 ? NOT_ANALYSED : GONE;
  return count === 1 ? "The latest plan is analysed again." : `The latest ${count} plans are analysed again.`;
}
