import type { AnalyzeResult, CommentOutcome } from "@leeway/shared/contracts/analyzer/analysis";
import type { OrgStatements } from "@leeway/shared/database/database";
import { derivedId } from "@leeway/shared/values/derived-id";
import { AppError } from "@leeway/shared/values/errors";

import { isTurnedDown } from "../jobs/pause.ts";
import { endJob, replaceResult, resultOf, subjectOf, type Job, type NewJob } from "../jobs/store/jobs.ts";
import type { LateCommentSubject } from "../jobs/subject.ts";
import { placeOf } from "../reviews/take-place.ts";
import { commentOn, type CommentDependencies } from "./comment-on.ts";
import { reportComment } from "./report-to-delivery.ts";

/** Delay while an older build of the other service rejects the request. */
const UPGRADE_SECONDS = 120;

/** Creates the job that posts an analysis's comment later, after the code host's pause. */
export function lateComment(analyzeJobId: string, pauseSeconds: number): NewJob {
  return {
    id: derivedId(analyzeJobId, "comment"),
    subject: { kind: "plan_comment", analyze_job_id: analyzeJobId },
    pauseSeconds,
  };
}

/**
 * Posts the comment of an analysis that was finished without it, and adds it to the result.
 * @throws {AppError} `unavailable` to retry
 */
export async function lateCommentJob(
  deps: CommentDependencies,
  { id, orgId, subject: { analyze_job_id: of } }: Job & { subject: LateCommentSubject },
): Promise<void> {
  const sql = deps.database.org(orgId);
  const subject = await subjectOf(sql, of);
  const place = subject?.kind === "analyze" ? placeOf(subject) : undefined;
  const comment = place && (await commentOn(deps, orgId, place).catch(askLater));
  if (subject && comment) {
    await noteOutcome(sql, of, comment);
    await reportComment(deps, { orgId, subject }, comment);
  }
  await endJob(sql, id, {});
}

function askLater(error: unknown): never {
  if (!isTurnedDown(error)) throw error;
  const options = { cause: error, retryAfterSeconds: UPGRADE_SECONDS };
  throw new AppError(
    "unavailable",
    "the webhooks service doesn't support this request yet; retrying after its upgrade",
    options,
  );
}

async function noteOutcome(sql: OrgStatements, analyzeJobId: string, comment: CommentOutcome): Promise<void> {
  const text = await resultOf(sql, analyzeJobId);
  if (text === undefined) return;
  const result: AnalyzeResult = JSON.parse(text);
  await replaceResult(sql, analyzeJobId, JSON.stringify({ ...result, comment }));
}
