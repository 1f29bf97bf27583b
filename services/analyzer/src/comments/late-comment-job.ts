import type { AnalyzeResult, CommentOutcome } from "@leeway/shared/contracts/analyzer/analysis";
import type { OrgStatements } from "@leeway/shared/database/database";
import { derivedId } from "@leeway/shared/derived-id";
import { AppError } from "@leeway/shared/errors";

import { isTurnedDown } from "../jobs/pause.ts";
import { endJob, replaceResult, resultOf, subjectOf, type Job, type NewJob } from "../jobs/store/jobs.ts";
import type { LateCommentSubject } from "../jobs/subject.ts";
import { placeOf } from "../reviews/place-of.ts";
import { commentOn, type CommentDependencies } from "./comment-on.ts";
import { tellOfComment } from "./tell-delivery.ts";

/** For so long a service is left alone that doesn't understand, until it is of a newer build. */
const UPGRADE_SECONDS = 120;

/** The job that posts the comment of an analysis once its code host takes it, not before it wants that. */
export function lateComment(analyzeJobId: string, pauseSeconds: number): NewJob {
  return {
    id: derivedId(analyzeJobId, "comment"),
    subject: { kind: "plan_comment", analyze_job_id: analyzeJobId },
    pauseSeconds,
  };
}

/**
 * Posts the comment of an analysis that was told without it, and says so there.
 * @throws {AppError} `unavailable` to be tried again
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
    await tellOfComment(deps, { orgId, subject }, comment);
  }
  await endJob(sql, id, {});
}

function askLater(error: unknown): never {
  if (!isTurnedDown(error)) throw error;
  const options = { cause: error, retryAfterSeconds: UPGRADE_SECONDS };
  throw new AppError("unavailable", "the service that comments doesn't understand", options);
}

async function noteOutcome(sql: OrgStatements, analyzeJobId: string, comment: CommentOutcome): Promise<void> {
  const text = await resultOf(sql, analyzeJobId);
  if (text === undefined) return;
  const result: AnalyzeResult = JSON.parse(text);
  await replaceResult(sql, analyzeJobId, JSON.stringify({ ...result, comment }));
}
