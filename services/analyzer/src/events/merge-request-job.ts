import type { CommentOutcome } from "@leeway/shared/contracts/analyzer/analysis";
import { codeHostOf } from "@leeway/shared/contracts/webhooks/events";

import { commentOn, type CommentDependencies } from "../comments/comment-on.ts";
import { hostOf, mayBeOn } from "../reviews/code-hosts.ts";
import { reportComment } from "../comments/report-to-delivery.ts";
import { endJob, subjectOf, type Job } from "../jobs/store/jobs.ts";
import type { MergeRequestSubject } from "../jobs/subject.ts";
import { noteReview, reviewsOf } from "../reviews/store.ts";

/**
 * Comments on a merge request that was opened or has new commits. Posts the plans submitted so far, with the token of
 * the config that reported the event.
 * @throws {AppError} `unavailable` for a retry
 */
export async function mergeRequestJob(
  deps: CommentDependencies,
  job: Job & { subject: MergeRequestSubject },
): Promise<void> {
  const sql = deps.database.org(job.orgId);
  const { config_id: configId, event } = job.subject;
  const { repository, change_request: change } = event;
  const codeHost = codeHostOf(event);
  const place = { host: hostOf(change), repository, number: change.number };
  let outcome: CommentOutcome | undefined;
  for (const review of await reviewsOf(sql, place)) {
    const subject = await subjectOf(sql, review.jobId);
    if (subject?.kind !== "analyze" || !subject.target) continue;
    if (!mayBeOn(codeHost, subject.change_request)) continue; // the pull request of a mirror
    await noteReview(sql, { ...review, codeHost, configId });
    const comment = await commentOn(deps, job.orgId, review);
    // The delivery shows one outcome: the first failure, if any.
    if (outcome?.posted !== false) outcome = comment ?? outcome;
  }
  if (outcome) await reportComment(deps, job, outcome);
  await endJob(sql, job.id, {});
}
