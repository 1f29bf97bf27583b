import { AppError } from "@leeway/shared/values/errors";

import { lateCommentJob } from "./comments/late-comment-job.ts";
import { reportJobFailure } from "./comments/report-to-delivery.ts";
import { commentJob } from "./events/comment-job.ts";
import { mergeRequestJob } from "./events/merge-request-job.ts";
import { fixJob } from "./fixes/fix-job.ts";
import { releaseSlot } from "./narratives/ask-model.ts";
import { analyzeJob, type AnalyzeDependencies } from "./plans/analyze-job.ts";
import { reportJob, type ReportDependencies } from "./plans/report-job.ts";
import { narrateJob, markNarrativeFailed } from "./snapshots/narrate-job.ts";
import type { EndedJobs } from "./jobs/ended.ts";
import type { JobOutbox, Offered } from "./jobs/outbox.ts";
import { pauseAfter } from "./jobs/pause.ts";
import { beginJob, endJob, subjectOf, type Job } from "./jobs/store/jobs.ts";
import { postponeJob } from "./jobs/store/offers.ts";

export interface WorkerDependencies extends AnalyzeDependencies, ReportDependencies {
  outbox: JobOutbox;
  ended: EndedJobs;
}

/**
 * Prompt attempts of a job. Then it goes on without the failing dependency or waits for the sweep. Another offer
 * doesn't reset the count.
 */
const PROMPT_ATTEMPTS = 5;
/** Longest wait of a job for a dependency that is down. */
const LONGEST_MS = 2 * 60 * 60 * 1000;

/**
 * Runs one job. Temporary failures are retried; other failures end the job with the reason and release its slot. If the
 * database can't be reached at the last attempt either, the sweep offers the job again.
 * @throws {AppError} `unavailable` for a retry
 */
export async function workOffJob(
  deps: WorkerDependencies,
  offered: Offered,
  delivery: { last: boolean },
): Promise<void> {
  try {
    await attemptJob(deps, offered, delivery);
  } catch (error) {
    if (!delivery.last || !(error instanceof AppError) || error.code !== "unavailable") throw error;
    deps.log.warn({ error, job_id: offered.id }, "a job waits for the sweep");
  }
}

async function attemptJob(
  deps: WorkerDependencies,
  offered: Offered,
  delivery: { last: boolean },
): Promise<void> {
  const { orgId, id } = offered;
  const sql = deps.database.org(orgId);
  const job = await beginJob(sql, offered);
  if (!job) return;
  const last = delivery.last || job.attempts >= PROMPT_ATTEMPTS;
  try {
    await doJob(deps, job, { last });
  } catch (error) {
    const next = nextStep(error, { last, startedAt: job.startedAt });
    if (next === "retry") throw error;
    deps.log.warn({ error, job_id: id, next }, "a job failed");
    if (next !== "give up") {
      await postponeJob(sql, id, next.pauseSeconds);
      deps.outbox.offerLater(orgId, id, next.pauseSeconds);
      return;
    }
    await giveUpJob(deps, offered, errorOf(error));
  }
  deps.ended.publish(offered);
}

function nextStep(
  error: unknown,
  { last, startedAt }: { last: boolean; startedAt: Date },
): "retry" | { pauseSeconds: number } | "give up" {
  const pauseSeconds = pauseAfter(error, { last });
  if (pauseSeconds !== undefined)
    return Date.now() - startedAt.getTime() < LONGEST_MS ? { pauseSeconds } : "give up";
  const isOurs = error instanceof AppError && error.code !== "unavailable";
  return last || isOurs ? "give up" : "retry";
}

function doJob(deps: WorkerDependencies, job: Job, how: { last: boolean }): Promise<void> {
  const { subject } = job;
  switch (subject.kind) {
    case "analyze":
      return analyzeJob(deps, { ...job, subject }, how);
    case "plan_noise_fix":
      return fixJob(deps, { ...job, subject });
    case "drift_narrative":
      return narrateJob(deps, { ...job, subject });
    case "merge_request":
      return mergeRequestJob(deps, { ...job, subject });
    case "plan_report":
      return reportJob(deps, { ...job, subject });
    case "comment":
      return commentJob(deps, { ...job, subject });
    case "plan_comment":
      return lateCommentJob(deps, { ...job, subject });
  }
}

function errorOf(error: unknown): { code: string; message: string } {
  if (error instanceof AppError) return { code: error.code, message: error.message };
  return { code: "internal", message: "internal error; the analyzer's log has the details" };
}

/** Ends a job that can't be done, and releases its slot if it holds one. */
export async function giveUpJob(
  deps: Pick<WorkerDependencies, "database" | "bus" | "log" | "ended">,
  job: { orgId: string; id: string },
  error: { code: string; message: string },
): Promise<void> {
  const { orgId, id } = job;
  await releaseSlot(deps, job);
  const sql = deps.database.org(orgId);
  if (await endJob(sql, id, { error })) {
    const subject = await subjectOf(sql, id);
    if (subject) await reportJobFailure(deps, { orgId, subject }, error);
    if (subject?.kind === "drift_narrative") await markNarrativeFailed(deps, { orgId, subject });
  }
  deps.ended.publish(job);
}
