import {
  explainReply,
  fixReply,
  helpReply,
  nothingReply,
  rescanReply,
  statusReply,
  unknownReply,
  type ProjectResult,
} from "@leeway/analysis/comment/replies";
import { call } from "@leeway/shared/bus/request";
import type { AnalyzeResult } from "@leeway/shared/contracts/analyzer/analysis";
import { RescanProjects } from "@leeway/shared/contracts/inventory/scans";
import { RETENTION } from "@leeway/shared/contracts/retention";
import type { Command } from "@leeway/shared/contracts/webhooks/commands";
import { codeHostOf } from "@leeway/shared/contracts/webhooks/events";
import { derivedId } from "@leeway/shared/values/derived-id";
import type { KeyRing } from "@leeway/shared/security/encryption/keyring";
import { present } from "@leeway/shared/values/json";

import { hostOf, mayBeOn } from "../reviews/code-hosts.ts";
import type { CommentDependencies } from "../comments/comment-on.ts";
import { proposeStoredFix } from "../noise/propose-stored-fix.ts";
import { openInput, sealInput } from "../jobs/input.ts";
import type { JobOutbox } from "../jobs/outbox.ts";
import { resultOf, sealedInput, storeJobs, subjectOf, type Job } from "../jobs/store/jobs.ts";
import type { AnalyzeSubject, CommentSubject } from "../jobs/subject.ts";
import { isNoiseOf } from "../noise/repository-mutes.ts";
import type { PlanReader } from "../plan-reader.ts";
import { sourceNames } from "../reviews/project-key.ts";
import { reviewsOf, type Review } from "../reviews/store.ts";
import { findJudgement } from "../settings/settings.ts";
import { commenterOf, repositoryOf } from "./commenter.ts";
import { decide } from "./decide.ts";
import { isOfDrift } from "./decide-drift.ts";
import { settleByComment } from "./settle-by-comment.ts";

export interface CommandDependencies extends CommentDependencies {
  ring: KeyRing;
  reader: PlanReader;
  outbox: JobOutbox;
  publicBaseUrl: string;
}

type CommandJob = Job & { subject: CommentSubject };

const NOT_ANALYSED = "No plan of this merge request has been analyzed yet.";
const GONE = `Plans are kept for ${RETENTION.inputs.days} days, and this one has been deleted. Run the plan again.`;
const FORGOTTEN = `Results are kept for ${RETENTION.jobs.days} days, and this one has been deleted. Run the plan again.`;

/** Runs a command; running it twice changes nothing more. @returns the reply, in Markdown */
export async function runCommand(deps: CommandDependencies, job: CommandJob): Promise<string> {
  const { command } = job.subject.event;
  if ("fingerprint" in command) return runOnFingerprint(deps, job, command);
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
    case "rescan":
      return rescan(deps, job);
  }
}

function runOnFingerprint(
  deps: CommandDependencies,
  job: CommandJob,
  command: Extract<Command, { fingerprint: string }>,
): Promise<string> {
  switch (command.verb) {
    case "acknowledge":
    case "ignore":
    case "unignore":
      return decide(deps, job, command);
    case "fix":
      return fix(deps, job, command.fingerprint);
    case "settle":
      return settleByComment(deps, job, command);
  }
}

/** Returns the latest plan of each project of a merge request, without `subject` if the job was deleted. */
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
  // The pull request of a mirror isn't this merge request.
  return known.filter((one) => !("subject" in one) || mayBeOn(codeHostOf(event), one.subject.change_request));
}

/** Returns the latest results of a merge request by project, and the reply to send if there are none. */
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

/** Replies with the latest results of a merge request, by project. */
async function status(deps: CommandDependencies, job: CommandJob): Promise<string> {
  const { latest, without } = await latestOf(deps, job);
  return latest.length > 0 ? statusReply(latest.map((one) => ({ status: "done", ...one }))) : without;
}

/**
 * Rescans the sources of a merge request. Sources usually have the name of the project, its directory or its
 * repository.
 */
async function rescan(deps: CommandDependencies, job: CommandJob): Promise<string> {
  const { orgId } = job;
  const names = new Set<string>();
  for (const { subject, repository } of await reviewsOfJob(deps, job)) {
    if (!subject) continue;
    for (const name of [...sourceNames(subject), repository]) names.add(name);
  }
  const project_names = [...names];
  const { accounts } = await call(deps.bus, RescanProjects, {
    org_id: orgId,
    requested_by: commenterOf(job.subject),
    repository: repositoryOf(job.subject),
    project_names,
  });
  return rescanReply(accounts, project_names);
}

async function explain(deps: CommandDependencies, job: CommandJob, address: string): Promise<string> {
  const { latest, without } = await latestOf(deps, job);
  const { comment_decisions: decisions } = await findJudgement(deps.database.org(job.orgId));
  return latest.length > 0 ? explainReply(latest, address, decisions === "ignore") : without;
}

async function fix(
  deps: CommandDependencies,
  { orgId, subject }: CommandJob,
  fingerprint: string,
): Promise<string> {
  if (isOfDrift(fingerprint))
    return unknownReply(`${fingerprint} belongs to drift, and only noise has a fix`);
  const { repository } = subject.event;
  const sql = deps.database.org(orgId);
  if (!(await isNoiseOf(sql, fingerprint, repository))) return nothingReply(fingerprint);
  const request = { fingerprint, repository, isAlone: true, sources: "[]", strategy: "auto" as const };
  const made = await proposeStoredFix(sql, deps.reader, request);
  return made ? fixReply(made.fix) : nothingReply(fingerprint);
}

/** Analyzes the latest plan of each project again, because settings, muted noise and models may have changed. */
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
    deps.outbox.offer(job.orgId, [{ id }]);
    count += 1;
  }
  if (count === 0) return reviews.length === 0 ? NOT_ANALYSED : GONE;
  return count === 1 ? "Analyzing the latest plan again." : `Analyzing the latest ${count} plans again.`;
}
