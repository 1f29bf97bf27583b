import { formerMarkersOf } from "@leeway/analysis/comment/marker";
import { COMMENT_LIMITS, deservesComment, planComment } from "@leeway/analysis/comment/plan-comment";
import type { Explained } from "@leeway/analysis/comment/sections";
import type { BusConnection } from "@leeway/shared/bus/connection";
import { call } from "@leeway/shared/bus/request";
import type { AnalyzeResult, CommentOutcome } from "@leeway/shared/contracts/analyzer/analysis";
import { PutComment, type CommentProblem } from "@leeway/shared/contracts/webhooks/comments";
import type { Source } from "@leeway/shared/contracts/webhooks/events";
import type { Database } from "@leeway/shared/database/database";
import { present } from "@leeway/shared/json";
import type { Logger } from "@leeway/shared/telemetry/log";
import type { Static } from "@sinclair/typebox";

import { resultOf, subjectOf } from "../jobs/store/jobs.ts";
import type { AnalyzeSubject } from "../jobs/subject.ts";
import { refusedForNow } from "./refused.ts";
import { noteComment, reviewOf, type Review, type ReviewKey } from "../reviews/store.ts";
import { sourceOf, targetOf } from "./change-url.ts";
import { findJudgement } from "../settings/settings.ts";

export interface CommentDependencies {
  database: Database;
  bus: BusConnection;
  log: Logger;
}

type Put = Static<(typeof PutComment)["output"]>;

const LIMITS: Readonly<Record<Source, number>> = {
  planner: COMMENT_LIMITS.github,
  vcs: COMMENT_LIMITS.gitlab,
};
const OTHER: Readonly<Record<Source, Source>> = { planner: "vcs", vcs: "planner" };
/** The repository isn't on that kind of host, as far as we can see. */
const ELSEWHERE: Readonly<Record<Source, readonly CommentProblem[]>> = {
  planner: ["app_not_configured", "app_not_installed"],
  vcs: ["token_missing", "not_found"],
};
const MOST_ROUNDS = 3;

/**
 * Has the comment of a project say what its latest analysis says, whichever job that is: of two at once,
 * the one that comes last to the host finds the same.
 * @returns undefined when nothing deserves a comment and there is none
 * @throws {AppError} `unavailable` to be tried again, not before the code host wants that
 */
export async function commentOn(
  deps: CommentDependencies,
  orgId: string,
  place: ReviewKey,
): Promise<CommentOutcome | undefined> {
  const sql = deps.database.org(orgId);
  let outcome: CommentOutcome | undefined;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const review = await reviewOf(sql, place);
    if (!review) return outcome;
    outcome = await putReview(deps, orgId, review);
    const latest = await reviewOf(sql, review);
    if (latest?.jobId === review.jobId) return outcome;
  }
  return outcome;
}

async function putReview(
  deps: CommentDependencies,
  orgId: string,
  review: Review,
): Promise<CommentOutcome | undefined> {
  const sql = deps.database.org(orgId);
  const [text, subject] = await Promise.all([resultOf(sql, review.jobId), subjectOf(sql, review.jobId)]);
  if (text === undefined || subject?.kind !== "analyze") return undefined;
  const result: AnalyzeResult = JSON.parse(text);
  if (review.commentUrl === undefined) {
    const { comment_min_risk: least } = await findJudgement(sql);
    if (!deservesComment(result, least)) return undefined;
  }
  const { source, answer } = await put(deps, { orgId, review }, explainedOf(result, subject));
  if (answer.done) {
    await noteComment(sql, review, { source, url: answer.url });
    return { posted: true, ...present({ url: answer.url }) };
  }
  if (answer.problem === "unavailable") throw refusedForNow(answer);
  return { posted: false, error: answer.problem };
}

type ExplainedPlan = Explained & { context: AnalyzeSubject };

function explainedOf(
  { narrative, gate, ...analysis }: AnalyzeResult,
  context: AnalyzeSubject,
): ExplainedPlan {
  return { analysis, narrative, gate, context };
}

/** Puts a comment where the review is; neither planners nor whoever submits a plan always say on which kind of host that is. */
async function put(
  { bus }: CommentDependencies,
  { orgId, review }: { orgId: string; review: Review },
  explained: ExplainedPlan,
): Promise<{ source: Source; answer: Put }> {
  const { change_request: change, project } = explained.context;
  const former = formerMarkersOf(project);
  const at = (source: Source): Promise<Put> =>
    call(bus, PutComment, {
      org_id: orgId,
      target: targetOf(review, change, source),
      parts: planComment({ ...explained, limit: LIMITS[source], isHeard: source === "vcs" }),
      ...(former.length > 0 && { former_markers: former }),
    });
  const named = sourceOf(change);
  const source = named ?? review.source;
  const answer = await at(source);
  const isSure = named !== undefined || (source === "vcs" && review.configId !== undefined);
  if (isSure || !isElsewhere(source, answer)) return { source, answer };
  const other = OTHER[source];
  const byOther = await at(other);
  // Where it isn't there either, that says nothing of why the first host has no comment.
  return isElsewhere(other, byOther) ? { source, answer } : { source: other, answer: byOther };
}

function isElsewhere(source: Source, answer: Put): boolean {
  return !answer.done && ELSEWHERE[source].includes(answer.problem);
}
