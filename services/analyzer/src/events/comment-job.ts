import { deniedReply } from "@leeway/analysis/comment/replies";
import { call } from "@leeway/shared/bus/request";
import { actingAs } from "@leeway/shared/platform/context";
import {
  GetPermission,
  ReactToComment,
  ReplyToComment,
  type CommentTarget,
  type Refused,
} from "@leeway/shared/contracts/webhooks/comments";
import { wordOf } from "@leeway/shared/contracts/webhooks/code-hosts";
import { codeHostOf } from "@leeway/shared/contracts/webhooks/events";
import { present } from "@leeway/shared/values/json";

import { refusedForNow } from "../comments/refused.ts";
import { reportComment } from "../comments/report-to-delivery.ts";
import { endJob, type Job } from "../jobs/store/jobs.ts";
import type { CommentSubject } from "../jobs/subject.ts";
import { commenterOf } from "./commenter.ts";
import { runCommand, type CommandDependencies } from "./run-command.ts";

type Outcome = Parameters<typeof reportComment>[2];

/**
 * Runs the command of a comment: reacts with an emoji, does the work, then replies. Authors without write access to
 * the repository get a reply that says so, also in forks.
 * @throws {AppError} `unavailable` for a retry
 */
export async function commentJob(
  deps: CommandDependencies,
  job: Job & { subject: CommentSubject },
): Promise<void> {
  const { config_id, event } = job.subject;
  const { repository, change_request: change, author, comment } = event;
  const target: CommentTarget = {
    source: wordOf(codeHostOf(event)),
    config_id,
    repository,
    number: change.number,
  };
  const permission = await ask(
    call(deps.bus, GetPermission, {
      org_id: job.orgId,
      target,
      user_id: author.id,
      username: author.username,
    }),
  );
  let outcome: Outcome = permission.done ? {} : { error: permission.problem };
  if (permission.done) {
    await ask(
      call(deps.bus, ReactToComment, {
        org_id: job.orgId,
        target,
        comment_id: comment.id,
        emoji: permission.may_write ? "eyes" : "confused",
      }),
    );
    const text = permission.may_write
      ? await actingAs(commenterOf(job.subject), () => runCommand(deps, job))
      : deniedReply(event.command.verb);
    const discussion = comment.discussion_id;
    const reply = await ask(
      call(deps.bus, ReplyToComment, {
        org_id: job.orgId,
        target,
        marker: `<!-- leeway:reply:${job.id} -->`,
        body: text,
        ...(discussion !== undefined && { discussion_id: discussion }),
      }),
    );
    outcome = reply.done ? present({ url: reply.url }) : { error: reply.problem };
  }
  await reportComment(deps, job, outcome);
  await endJob(deps.database.org(job.orgId), job.id, {});
}

/**
 * Waits for a code host's answer. @throws {AppError} `unavailable` for a retry, with the pause that the code host
 * asks for
 */
async function ask<A extends { done: true } | Refused>(asked: Promise<A>): Promise<A> {
  const answer = await asked;
  if (!answer.done && answer.problem === "unavailable") throw refusedForNow(answer);
  return answer;
}
