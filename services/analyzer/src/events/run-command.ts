import {
  explainReply,
  fixReply,
  helpReply,
  ignoredReply,
  statusReply,
  unknownReply,
} from "@leeway/analysis/comment/replies";
import type { AnalyzeResult } from "@leeway/shared/contracts/analyzer/analysis";
import type { Command } from "@leeway/shared/contracts/webhooks/events";
import { derivedId } from "@leeway/shared/derived-id";
import type { KeyRing } from "@leeway/shared/keyring";

import type { CommentDependencies } from "../comments/comment-on.ts";
import { proposeStoredFix } from "../fixes/propose-stored-fix.ts";
import { openInput, sealInput } from "../jobs/input.ts";
import type { Outbox } from "../jobs/outbox.ts";
import { resultOf, sealedInput, storeJobs, subjectOf, type Job } from "../jobs/store/jobs.ts";
import type { CommentSubject } from "../jobs/subject.ts";
import { muteNoise, unmuteNoise } from "../noise/store.ts";
import { reviewsOf, type Review } from "../reviews/store.ts";
import { untilInstant } from "./until.ts";

export interface CommandDependencies extends CommentDependencies {
  ring: KeyRing;
  outbox: Outbox;
}

type CommandJob = Job & { subject: CommentSubject };
type Muting = Extract<Command, { verb: "ignore" }>;

const NOT_ANALYSED = "no plan of this merge request has been analysed yet";

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
      return statusReply(await latestResults(deps, job));
    case "explain":
      return explain(deps, job, command.address);
    case "ignore":
      return ignore(deps, job, command);
    case "unignore":
      return (await unmuteNoise(deps.database.org(job.orgId), command.fingerprint))
        ? ignoredReply(command.fingerprint, { ignored: false })
        : unknownNoise(command.fingerprint);
    case "fix":
      return fix(deps, job, command.fingerprint);
    case "rescan":
      return unknownReply("clouds aren't scanned from here: push a listing, or start a scan by the API");
  }
}

function unknownNoise(fingerprint: string): string {
  return unknownReply(`there is no noise with the fingerprint ${fingerprint}`);
}

function reviewsOfJob({ database }: CommandDependencies, { orgId, subject }: CommandJob): Promise<Review[]> {
  const { repository, change_request: change } = subject.event;
  return reviewsOf(database.org(orgId), { repository, number: change.number });
}

/** The latest analyses of a merge request, by project. */
async function latestResults(
  deps: CommandDependencies,
  job: CommandJob,
): Promise<{ project: string; result: AnalyzeResult }[]> {
  const sql = deps.database.org(job.orgId);
  const found: { project: string; result: AnalyzeResult }[] = [];
  for (const { project, jobId } of await reviewsOfJob(deps, job)) {
    const text = await resultOf(sql, jobId);
    if (text !== undefined) found.push({ project, result: JSON.parse(text) });
  }
  return found;
}

async function explain(deps: CommandDependencies, job: CommandJob, address: string): Promise<string> {
  const latest = await latestResults(deps, job);
  if (latest.length === 0) return unknownReply(NOT_ANALYSED);
  const about = latest.find(({ result }) => isAbout(result, address)) ?? latest[0];
  return about ? explainReply(about.result, address) : unknownReply(NOT_ANALYSED);
}

function isAbout({ findings, drift }: AnalyzeResult, address: string): boolean {
  return [...findings, ...drift].some((one) => one.address === address);
}

async function ignore(
  { database }: CommandDependencies,
  { orgId, createdAt }: CommandJob,
  { fingerprint, until, reason }: Muting,
): Promise<string> {
  const end = until === undefined ? undefined : untilInstant(until, createdAt);
  if (until !== undefined && end === undefined) return unknownReply(`${until} is no time to come`);
  const muted = await muteNoise(database.org(orgId), fingerprint, { until: end, reason });
  return muted
    ? ignoredReply(fingerprint, { ignored: true, until: end?.toISOString() })
    : unknownNoise(fingerprint);
}

async function fix(deps: CommandDependencies, { orgId }: CommandJob, fingerprint: string): Promise<string> {
  const fixed = await proposeStoredFix(deps.database.org(orgId), {
    fingerprint,
    sources: [],
    strategy: "auto",
  });
  return fixed ? fixReply(fixed) : unknownNoise(fingerprint);
}

/** Has the latest plan of each project analysed once more: settings, muted noise and models may be others now. */
async function analyzeAgain(deps: CommandDependencies, job: CommandJob): Promise<string> {
  const sql = deps.database.org(job.orgId);
  let count = 0;
  for (const { jobId, project } of await reviewsOfJob(deps, job)) {
    const [subject, sealed] = await Promise.all([subjectOf(sql, jobId), sealedInput(sql, jobId)]);
    if (subject?.kind !== "analyze" || !sealed) continue;
    const id = derivedId(job.id, project);
    const text = openInput(deps.ring, job.orgId, jobId, sealed);
    await storeJobs(sql, [{ id, subject, input: sealInput(deps.ring, job.orgId, id, text) }]);
    deps.outbox.offer(job.orgId, id);
    count += 1;
  }
  if (count === 0) return unknownReply(NOT_ANALYSED);
  return count === 1 ? "The latest plan is analysed again." : `The latest ${count} plans are analysed again.`;
}
