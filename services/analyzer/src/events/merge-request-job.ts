import type { CommentOutcome } from "@leeway/shared/contracts/analyzer/analysis";

import { commentOn, type CommentDependencies } from "../comments/comment-on.ts";
import { hostOf, sourceOf } from "../comments/change-url.ts";
import { tellOfComment } from "../comments/tell-delivery.ts";
import { endJob, subjectOf, type Job } from "../jobs/store/jobs.ts";
import type { MergeRequestSubject } from "../jobs/subject.ts";
import { noteReview, reviewsOf } from "../reviews/store.ts";

/**
 * A merge request was opened, or has new code: what its pipeline has submitted of it so far is told there,
 * with the token of the config that saw it, where a comment is wished.
 * @throws {AppError} `unavailable` to be tried again
 */
export async function mergeRequestJob(
  deps: CommentDependencies,
  job: Job & { subject: MergeRequestSubject },
): Promise<void> {
  const sql = deps.database.org(job.orgId);
  const { config_id: configId, event } = job.subject;
  const { repository, change_request: change } = event;
  const place = { host: hostOf(change), repository, number: change.number };
  let told: CommentOutcome | undefined;
  for (const review of await reviewsOf(sql, place)) {
    const subject = await subjectOf(sql, review.jobId);
    if (subject?.kind !== "analyze" || !subject.target) continue;
    if (sourceOf(subject.change_request) === "planner") continue; // a mirror's pull request
    await noteReview(sql, { ...review, source: "vcs", configId });
    const comment = await commentOn(deps, job.orgId, review);
    // Of several, what went wrong is told.
    if (told?.posted !== false) told = comment ?? told;
  }
  if (told) await tellOfComment(deps, job, told);
  await endJob(sql, job.id, {});
}
