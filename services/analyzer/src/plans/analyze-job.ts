import type {
  Analysis,
  AnalyzeResult,
  CommentOutcome,
  Narrative,
} from "@leeway/shared/contracts/analyzer/analysis";
import type { Database, OrgStatements } from "@leeway/shared/database/database";
import type { KeyRing } from "@leeway/shared/security/encryption/keyring";

import { commentOn, type CommentDependencies } from "../comments/comment-on.ts";
import { lateComment } from "../comments/late-comment-job.ts";
import { reportComment } from "../comments/report-to-delivery.ts";
import type { JobOutbox } from "../jobs/outbox.ts";
import { isTurnedDown, pauseAfter } from "../jobs/pause.ts";
import { endJob, keepResult, storeJobs, type Job, type NewJob } from "../jobs/store/jobs.ts";
import { isProposed, type AnalyzeSubject } from "../jobs/subject.ts";
import { askModel, releaseSlot, type ModelDependencies } from "../narratives/ask-model.ts";
import { noteGone, recordNoise } from "../noise/sightings.ts";
import { knownNoise } from "../noise/store.ts";
import { projectKey } from "../reviews/project-key.ts";
import { notePlanned, type Planned } from "../reviews/planned.ts";
import { placeOf, takePlace } from "../reviews/take-place.ts";
import { promisedBy } from "../settlements/store.ts";
import { findJudgement } from "../settings/settings.ts";
import { countVerdict } from "./count-verdict.ts";
import { openPlan } from "../jobs/input.ts";
import type { PlanReader } from "../plan-reader.ts";
import type { FindOwnRules } from "./plan-rules.ts";
import type { Reports } from "./reports.ts";
import { resultOf, type Kept } from "./result.ts";
import type { ReadPlan } from "../tasks.ts";

export interface AnalyzeDependencies extends ModelDependencies, CommentDependencies {
  database: Database;
  ring: KeyRing;
  reader: PlanReader;
  publicBaseUrl: string;
  outbox: JobOutbox;
  reports: Reports;
  ownRules: FindOwnRules;
}

/**
 * Analyzes a plan, writes its narrative, posts the comment if one is wanted, and ends the job. Every step can be
 * repeated: stored results are reused, and a comment replaces its earlier version. If the code host asks for a pause,
 * or the webhooks service is too old, the job ends and posts the comment later.
 * @throws {AppError} `unavailable` for a retry; `repository_mismatch` if the plan's source belongs to another
 * repository
 */
export async function analyzeJob(
  deps: AnalyzeDependencies,
  job: Job & { subject: AnalyzeSubject },
  { last }: { last: boolean },
): Promise<void> {
  await deps.reports.requireOwn(job.orgId, job.subject);
  const kept = await keptOf(deps, job);
  const place = placeOf(job.subject);
  if (place) {
    await takePlace(deps, job, place, { last });
    await notePlanned(deps.database.org(job.orgId), job.id, await plannedBy(deps, job));
  }
  const { comment, later } = await commented(deps, job, { last });
  const result: AnalyzeResult = { ...kept, ...(comment && { comment }) };
  if (comment) await reportComment(deps, job, comment);
  const report = await deps.reports.of(job);
  const following = [report, later].filter((next) => next !== undefined);
  if (await end(deps, job, { result, following })) countVerdict(kept);
  if (report) deps.outbox.offer(job.orgId, [report]);
  if (later) deps.outbox.offerLater(job.orgId, later.id, later.pauseSeconds ?? 0);
}

function plannedBy({ ring, reader }: AnalyzeDependencies, job: Job): Promise<Planned> {
  return reader.planned(job.orgId, openPlan(ring, job));
}

interface Commented {
  comment?: CommentOutcome | undefined;
  /** Job that posts the comment later. */
  later?: NewJob;
}

async function commented(
  deps: AnalyzeDependencies,
  { id, orgId, subject }: Job & { subject: AnalyzeSubject },
  { last }: { last: boolean },
): Promise<Commented> {
  const place = placeOf(subject);
  if (!place || !subject.target) return {};
  try {
    return { comment: await commentOn(deps, orgId, place) };
  } catch (error) {
    const pause = isTurnedDown(error) ? 0 : pauseAfter(error, { last });
    if (pause === undefined) throw error;
    return { comment: { posted: false, error: "unavailable" }, later: lateComment(id, pause) };
  }
}

/** Returns the result, and stores it if it was paid for or may be posted: a retry must not produce another one. */
async function keptOf(deps: AnalyzeDependencies, job: Job & { subject: AnalyzeSubject }): Promise<Kept> {
  if (job.result !== undefined) return JSON.parse(job.result);
  const made = await analyzed(deps, job);
  if (made.narrative.source === "template" && !placeOf(job.subject)) return made;
  return JSON.parse(await keepResult(deps.database.org(job.orgId), job.id, JSON.stringify(made)));
}

/** Ends the job, and stores its noise and the following jobs. @returns whether this call ended it */
async function end(
  { database }: AnalyzeDependencies,
  { id, orgId, subject }: Job & { subject: AnalyzeSubject },
  { result, following }: { result: AnalyzeResult; following: readonly NewJob[] },
): Promise<boolean> {
  const ending = { result: JSON.stringify(result), verdict: result };
  const sql = database.org(orgId);
  if (result.noise.length === 0 && following.length === 0) {
    if (!(await endJob(sql, id, ending))) return false;
    await noteFixed(sql, subject, result);
    return true;
  }
  return database.transaction(orgId, async (tx) => {
    if (!(await endJob(tx, id, ending))) return false;
    await recordNoise(tx, { project: projectKey(subject), isNew: !subject.again }, result.noise);
    await noteFixed(tx, subject, result);
    if (following.length > 0) await storeJobs(tx, following);
    return true;
  });
}

/**
 * Marks noise as fixed that the plan no longer shows. Failed plans, repeated analyses and plans without a name can't
 * show that.
 */
async function noteFixed(sql: OrgStatements, subject: AnalyzeSubject, result: AnalyzeResult): Promise<void> {
  const isNamed = subject.repository !== undefined || subject.project?.name !== undefined;
  if (subject.again || result.errored || !isNamed) return;
  const seen = result.noise.map(({ fingerprint }) => fingerprint);
  await noteGone(sql, [projectKey(subject)], { seen, isProposed: isProposed(subject) });
}

async function analyzed(deps: AnalyzeDependencies, job: Job & { subject: AnalyzeSubject }): Promise<Kept> {
  const { subject, orgId } = job;
  const sql = deps.database.org(orgId);
  const plan = openPlan(deps.ring, job);
  const [judgement, { rules, warning }, promised, known] = await Promise.all([
    findJudgement(sql),
    deps.ownRules(orgId),
    promisedBy(sql, { ref: subject.ref, repository: subject.repository }),
    knownNoise(sql, { project: projectKey(subject), repository: subject.repository }),
  ]);
  const profile = subject.risk_profile ?? judgement.risk_profile;
  const asked = subject.narrative ? subject : undefined;
  const options = { profile, ...known, rules, source: subject.repository ?? "" };
  const read = await deps.reader.analyze(orgId, plan, [options, { asked, promised }]);
  const words = await narrative(deps, job, read);
  const { warnings, ...judged } = read.analysis;
  const analysis = { ...judged, warnings: warning === undefined ? warnings : [...warnings, warning] };
  const result = { analysis, narrative: words, publicBaseUrl: deps.publicBaseUrl };
  return { ...resultOf(job, result), ...(read.promise && { promise: read.promise }) };
}

async function narrative(
  deps: AnalyzeDependencies,
  { id, orgId, subject }: Job & { subject: AnalyzeSubject },
  { analysis, template, question }: ReadPlan,
): Promise<Narrative> {
  if (!question || isUneventful(subject, analysis)) return template;
  if (analysis.errored) {
    await releaseSlot(deps, { orgId, id });
    return { ...template, note: "the plan failed" };
  }
  const said = await askModel(deps, { orgId, id }, question);
  return said.said ? said.narrative : { ...template, note: said.note };
}

/** Returns whether a plan from a webhook has neither findings nor drift, so that a narrative isn't worth a slot. */
function isUneventful({ delivery_id: delivery }: AnalyzeSubject, { findings, drift }: Analysis): boolean {
  return delivery !== undefined && findings.length === 0 && drift.length === 0;
}
