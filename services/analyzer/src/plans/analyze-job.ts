import { checkedNarrative } from "@leeway/analysis/narrative/check";
import { narrativePrompt } from "@leeway/analysis/narrative/prompt";
import type {
  Analysis,
  AnalyzeResult,
  CommentOutcome,
  Narrative,
} from "@leeway/shared/contracts/analyzer/analysis";
import type { Database, OrgStatements } from "@leeway/shared/database/database";
import type { KeyRing } from "@leeway/shared/encryption/keyring";

import { commentOn, type CommentDependencies } from "../comments/comment-on.ts";
import { lateComment } from "../comments/late-comment-job.ts";
import { tellOfComment } from "../comments/tell-delivery.ts";
import type { Outbox } from "../jobs/outbox.ts";
import { isTurnedDown, pauseAfter } from "../jobs/pause.ts";
import { endJob, keepResult, storeJobs, type Job, type NewJob } from "../jobs/store/jobs.ts";
import { isProposed, type AnalyzeSubject } from "../jobs/subject.ts";
import { askModel, releaseSlot, type ModelDependencies } from "../narratives/ask-model.ts";
import { noteGone, recordNoise } from "../noise/sightings.ts";
import { knownNoise } from "../noise/store.ts";
import { placeOf } from "../reviews/place-of.ts";
import { projectKey } from "../reviews/project-key.ts";
import { takePlace } from "../reviews/take-place.ts";
import { findJudgement } from "../settings/settings.ts";
import { openPlan } from "./open-plan.ts";
import type { PlanReader } from "./plan-reader.ts";
import type { Reports } from "./reports.ts";
import { countVerdict, resultOf, templateOf, type Kept } from "./result.ts";

export interface AnalyzeDependencies extends ModelDependencies, CommentDependencies {
  database: Database;
  ring: KeyRing;
  reader: PlanReader;
  publicBaseUrl: string;
  outbox: Outbox;
  reports: Reports;
}

/**
 * Analyses a plan, has it told in words, tells it where a comment is wished, and ends the job. Each step
 * can be taken up again: what was kept is not made anew, and a comment is put in place of itself. Where a code host wants
 * to be left alone, or the service before it doesn't understand, the result is told without the comment, which is posted
 * later.
 * @throws {AppError} `unavailable` to be tried again
 */
export async function analyzeJob(
  deps: AnalyzeDependencies,
  job: Job & { subject: AnalyzeSubject },
  { last }: { last: boolean },
): Promise<void> {
  const kept = await keptOf(deps, job);
  const place = placeOf(job.subject);
  if (place) await takePlace(deps, job, place, { last });
  const { comment, later } = await commented(deps, job, { last });
  const result: AnalyzeResult = { ...kept, ...(comment && { comment }) };
  if (comment) await tellOfComment(deps, job, comment);
  const report = await deps.reports.of(job);
  const following = [report, later].filter((next) => next !== undefined);
  if (await end(deps, job, { result, following })) countVerdict(kept);
  if (report) deps.outbox.offer(job.orgId, report.id);
  if (later) deps.outbox.offerLater(job.orgId, later.id, later.pauseSeconds ?? 0);
}

interface Commented {
  comment?: CommentOutcome | undefined;
  /** Has it posted once the code host takes it. */
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

/** What a model was paid for, or others may have been told, or may tell in place of their own, isn't made anew. */
async function keptOf(deps: AnalyzeDependencies, job: Job & { subject: AnalyzeSubject }): Promise<Kept> {
  if (job.result !== undefined) return JSON.parse(job.result);
  const made = await analyzed(deps, job);
  if (made.narrative.source === "template" && !placeOf(job.subject)) return made;
  return JSON.parse(await keepResult(deps.database.org(job.orgId), job.id, JSON.stringify(made)));
}

/** Ends the job, with what follows from its result. @returns whether it was this call */
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

/** A plan that failed, an earlier one, or one of nobody knows what doesn't show which noise is gone. */
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
  const [judgement, known] = await Promise.all([findJudgement(sql), knownNoise(sql, projectKey(subject))]);
  const analysis = await deps.reader.analyze(plan, { profile: judgement.risk_profile, ...known });
  const whole = { ...analysis, warnings: [...subject.warnings, ...analysis.warnings] };
  const words = await narrative(deps, job, whole);
  return resultOf(job, { analysis: whole, narrative: words, publicBaseUrl: deps.publicBaseUrl });
}

async function narrative(
  deps: AnalyzeDependencies,
  { id, orgId, subject }: Job & { subject: AnalyzeSubject },
  analysis: Analysis,
): Promise<Narrative> {
  const template = templateOf(analysis, subject);
  if (!subject.narrative || isUneventful(subject, analysis)) return template;
  if (analysis.errored) {
    await releaseSlot(deps, { orgId, id });
    return { ...template, note: "the plan failed" };
  }
  const said = await askModel(deps, { orgId, id }, narrativePrompt(analysis, subject));
  if (!said.said) return { ...template, note: said.note };
  const checked = checkedNarrative(said.text, analysis);
  if (!checked.ok) return { ...template, note: `the model's answer was thrown away: ${checked.reason}` };
  return { text: checked.text, source: said.source, model: said.model };
}

/** What a webhook brought by itself and nobody has to read isn't worth a slot. */
function isUneventful({ delivery_id: delivery }: AnalyzeSubject, { findings, drift }: Analysis): boolean {
  return delivery !== undefined && findings.length === 0 && drift.length === 0;
}
