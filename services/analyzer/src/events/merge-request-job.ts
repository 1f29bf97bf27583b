import { commentOn, type CommentDependencies } from "../comments/comment-on.ts";
import { endJob, type Job } from "../jobs/store/jobs.ts";
import type { MergeRequestSubject } from "../jobs/subject.ts";
import { noteReview, reviewsOf } from "../reviews/store.ts";

/**
 * A merge request was opened, or has new code: what its pipeline has submitted of it so far is told there,
 * with the token of the config that saw it.
 */
export async function mergeRequestJob(
  deps: CommentDependencies,
  job: Job & { subject: MergeRequestSubject },
  how: { last: boolean },
): Promise<void> {
  const sql = deps.database.org(job.orgId);
  const { config_id: configId, event } = job.subject;
  const place = { repository: event.repository, number: event.change_request.number };
  for (const review of await reviewsOf(sql, place)) {
    await noteReview(sql, { ...review, source: "vcs", configId });
    await commentOn(deps, job.orgId, review, how);
  }
  await endJob(sql, job.id, {});
}
