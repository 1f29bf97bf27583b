import {
  acknowledgedReply,
  ignoredReply,
  nothingReply,
  refusedReply,
  unknownReply,
} from "@leeway/analysis/comment/replies";
import type { BusConnection } from "@leeway/shared/bus/connection";
import type { CommentDecisions } from "@leeway/shared/contracts/analyzer/noise";
import type { Command } from "@leeway/shared/contracts/webhooks/commands";
import type { Database } from "@leeway/shared/database/database";
import { present } from "@leeway/shared/values/json";

import { audit } from "../audit.ts";
import type { Job } from "../jobs/store/jobs.ts";
import type { CommentSubject } from "../jobs/subject.ts";
import { isNoiseOf, muteInRepository, unmuteInRepositories } from "../noise/repository-mutes.ts";
import { findJudgement } from "../settings/settings.ts";
import { commenterOf, repositoryOf } from "./commenter.ts";
import { decideDrift, isOfDrift, type Decided } from "./decide-drift.ts";
import { untilInstant } from "./until.ts";

type Deciding = Extract<Command, { verb: "acknowledge" | "ignore" | "unignore" }>;

interface DecideDependencies {
  database: Database;
  bus: BusConnection;
}

/** Checked decision of a comment. */
interface Decision extends Pick<Deciding, "verb" | "fingerprint"> {
  until: Date | undefined;
  reason: string | undefined;
  /** Decisions that the organization allows comments to make. */
  allowed: CommentDecisions;
}

const STATUSES = { acknowledge: "acknowledged", ignore: "ignored", unignore: "open" } as const;
const IN_SETTINGS = "an owner or admin can change comment_decisions in Settings, General";

/** Applies a comment's decision to drift or noise of its repository. @returns the reply, in Markdown */
export async function decide(
  deps: DecideDependencies,
  job: Job & { subject: CommentSubject },
  command: Deciding,
): Promise<string> {
  const { verb, fingerprint } = command;
  const { end, problem } = endOf(command, job.createdAt);
  if (problem !== undefined) return unknownReply(problem);
  const { comment_decisions: allowed } = await findJudgement(deps.database.org(job.orgId));
  const refusal = refusalOf(command, allowed);
  if (refusal !== undefined) return refusedReply(verb, refusal);
  const reason = verb === "unignore" ? undefined : command.reason;
  const decision = { verb, fingerprint, until: end, reason, allowed };
  const decided = isOfDrift(fingerprint)
    ? await decideAboutDrift(deps, job, decision)
    : await decideAboutNoise(deps, job, decision);
  if (decided === "done") return confirmation(decision);
  return decided === "absent" ? nothingReply(fingerprint) : refusedReply(verb, decided.refused);
}

/** Returns when an ignored change counts again, or the problem with that time. */
function endOf(command: Deciding, now: Date): { end?: Date; problem?: string } {
  if (command.verb !== "ignore" || command.until === undefined) return {};
  const end = untilInstant(command.until, now);
  if (!end)
    return {
      problem: `${command.until} isn't a valid date; use a date such as 2026-12-31 or a duration such as 30d`,
    };
  return end.getTime() <= Date.now()
    ? { problem: `${command.until} is in the past; use a later date` }
    : { end };
}

function confirmation({ verb, fingerprint, until, reason }: Decision): string {
  const details = { fingerprint, ...present({ until: until?.toISOString(), reason }) };
  if (verb === "acknowledge") return acknowledgedReply(details);
  return ignoredReply({ ...details, undone: verb === "unignore" });
}

/** Returns why the organization doesn't allow this decision by comment, and what to do instead. */
function refusalOf({ verb, fingerprint }: Deciding, allowed: CommentDecisions): string | undefined {
  if (allowed === "none") return `this organization doesn't allow decisions in comments; ${IN_SETTINGS}`;
  if (verb === "acknowledge")
    return isOfDrift(fingerprint)
      ? undefined
      : "the fingerprint belongs to noise, and only drift can be acknowledged; use ignore";
  if (allowed === "ignore") return undefined;
  return `comments in this organization may only acknowledge drift; ${IN_SETTINGS}`;
}

function decideAboutDrift(
  { bus }: DecideDependencies,
  { orgId, subject }: Job & { subject: CommentSubject },
  { verb, fingerprint, until, reason, allowed }: Decision,
): Promise<Decided> {
  return decideDrift(bus, {
    org_id: orgId,
    fingerprint,
    status: STATUSES[verb],
    decided_by: commenterOf(subject),
    repository: repositoryOf(subject),
    ...(allowed !== "ignore" && { keeps_ignored: true }),
    ...present({ until: until?.toISOString(), reason }),
  });
}

/** Mutes or unmutes noise, only in plans of the comment's own repository. */
async function decideAboutNoise(
  { database }: DecideDependencies,
  { orgId, subject }: Job & { subject: CommentSubject },
  { verb, fingerprint, until, reason }: Decision,
): Promise<Decided> {
  const { repository } = subject.event;
  return database.transaction(orgId, async (tx) => {
    if (!(await isNoiseOf(tx, fingerprint, repository))) return "absent";
    const by = commenterOf(subject);
    if (verb === "unignore") await unmuteInRepositories(tx, fingerprint, repository);
    else await muteInRepository(tx, { fingerprint, repository }, { until, reason, by });
    const status = verb === "unignore" ? "active" : "muted";
    const details = { status, muted_reason: reason, muted_until: until?.toISOString(), repository };
    await audit(tx, { action: "plan_noise.update", targetId: fingerprint, actor: by, details });
    return "done";
  });
}
