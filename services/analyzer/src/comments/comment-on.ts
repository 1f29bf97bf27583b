import { formerMarkersOf } from "@leeway/analysis/comment/marker";
import { deservesComment, planComment } from "@leeway/analysis/comment/plan-comment";
import type { Explained } from "@leeway/analysis/comment/sections";
import type { BusConnection } from "@leeway/shared/bus/connection";
import { call } from "@leeway/shared/bus/request";
import type { AnalyzeResult, CommentOutcome } from "@leeway/shared/contracts/analyzer/analysis";
import { CODE_HOST_KINDS, type CodeHostKind } from "@leeway/shared/contracts/webhooks/code-hosts";
import { PutComment } from "@leeway/shared/contracts/webhooks/comments";
import { acceptsCommands } from "@leeway/shared/contracts/webhooks/events";
import type { Database } from "@leeway/shared/database/database";
import { present } from "@leeway/shared/values/json";
import type { Logger } from "@leeway/shared/platform/telemetry/log";
import type { Static } from "@sinclair/typebox";

import { resultOf, subjectOf } from "../jobs/store/jobs.ts";
import type { AnalyzeSubject } from "../jobs/subject.ts";
import { refusedForNow } from "./refused.ts";
import { noteComment, reviewOf, type Review, type ReviewKey } from "../reviews/store.ts";
import { CODE_HOSTS, kindInUrl, targetOf } from "../reviews/code-hosts.ts";
import { findJudgement } from "../settings/settings.ts";

export interface CommentDependencies {
  database: Database;
  bus: BusConnection;
  log: Logger;
}

type Put = Static<(typeof PutComment)["output"]>;

const MAX_ROUNDS = 3;

/**
 * Updates the comment of a project with its latest analysis, whichever job that is. If two updates run at once, the
 * last one to reach the host posts the latest analysis, too.
 * @returns undefined if no comment is warranted and none exists
 * @throws {AppError} `unavailable` to retry, after the code host's pause
 */
export async function commentOn(
  deps: CommentDependencies,
  orgId: string,
  place: ReviewKey,
): Promise<CommentOutcome | undefined> {
  const sql = deps.database.org(orgId);
  let outcome: CommentOutcome | undefined;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
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
  const { comment_min_risk: least, comment_decisions: decisions } = await findJudgement(sql);
  const isWanted = result.promise !== undefined || deservesComment(result, least);
  if (review.commentUrl === undefined && !isWanted) return undefined;
  const commits = commitsOf(review, subject);
  const { codeHost, answer } = await put(
    deps,
    { orgId, review },
    { ...explainedOf(result, subject), ...commits, offersIgnore: decisions === "ignore" },
  );
  if (answer.done) {
    await noteComment(sql, review, { codeHost, url: answer.url, ...commits });
    return { posted: true, ...present({ url: answer.url }) };
  }
  if (answer.problem === "unavailable") throw refusedForNow(answer);
  return { posted: false, error: answer.problem };
}

/** Returns the plan's commit and the comment's commit before it. A repeated plan changes neither. */
function commitsOf(
  { commentCommit, previousCommit }: Review,
  { commit_sha: commit }: AnalyzeSubject,
): { commit: string | undefined; previousCommit: string | undefined } {
  return { commit, previousCommit: commentCommit === commit ? previousCommit : commentCommit };
}

type ExplainedPlan = Explained & { context: AnalyzeSubject };

function explainedOf(
  { narrative, gate, report_url: reportUrl, promise, ...analysis }: AnalyzeResult,
  context: AnalyzeSubject,
): ExplainedPlan {
  return { analysis, narrative, gate, reportUrl, context, linksCommits: true, ...(promise && { promise }) };
}

/**
 * Posts a review's comment. Neither planners nor submitters always say which kind of host a review is on, so other
 * kinds may be tried, too.
 */
async function put(
  { bus }: CommentDependencies,
  { orgId, review }: { orgId: string; review: Review },
  explained: ExplainedPlan,
): Promise<{ codeHost: CodeHostKind; answer: Put }> {
  const { change_request: change, project } = explained.context;
  const former = formerMarkersOf(project);
  const at = (kind: CodeHostKind): Promise<Put> =>
    call(bus, PutComment, {
      org_id: orgId,
      target: targetOf(review, change, kind),
      parts: planComment({
        ...explained,
        limit: CODE_HOSTS[kind].limit,
        acceptsCommands: acceptsCommands(kind),
      }),
      ...(former.length > 0 && { former_markers: former }),
    });
  const named = kindInUrl(change);
  const codeHost = named ?? review.codeHost;
  const answer = await at(codeHost);
  const isSure = named !== undefined || (CODE_HOSTS[codeHost].hasConfigs && review.configId !== undefined);
  if (isSure || !isElsewhere(codeHost, answer)) return { codeHost, answer };
  for (const other of CODE_HOST_KINDS.filter((kind) => kind !== codeHost)) {
    const byOther = await at(other);
    if (!isElsewhere(other, byOther)) return { codeHost: other, answer: byOther };
  }
  // If it isn't anywhere else either, the first host's problem is the best explanation.
  return { codeHost, answer };
}

function isElsewhere(kind: CodeHostKind, answer: Put): boolean {
  return !answer.done && CODE_HOSTS[kind].elsewhere.includes(answer.problem);
}
