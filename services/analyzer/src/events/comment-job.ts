import { deniedReply } from "@leeway/analysis/comment/replies";
import { call } from "@leeway/shared/bus/request";
import {
  GetPermission,
  ReactToComment,
  ReplyToComment,
  type CommentTarget,
  type Refused,
} from "@leeway/shared/contracts/webhooks/comments";
import { present } from "@leeway/shared/json";

import { refusedForNow } from "../comments/refused.ts";
import { tellOfComment } from "../comments/tell-delivery.ts";
import { endJob, type Job } from "../jobs/store/jobs.ts";
import type { CommentSubject } from "../jobs/subject.ts";
import { runCommand, type CommandDependencies } from "./run-command.ts";

type Told = Parameters<typeof tellOfComment>[2];

/**
 * Does what a comment asks for: an emoji first, then the work, then an answer below it. Who may not write
 * to the repository, and whoever comments from a fork without that right, is told so.
 * @throws {AppError} `unavailable` to be tried again
 */
export async function commentJob(
  deps: CommandDependencies,
  job: Job & { subject: CommentSubject },
): Promise<void> {
  const { config_id, event } = job.subject;
  const { repository, change_request: change, author, comment } = event;
  const target: CommentTarget = { source: "vcs", config_id, repository, number: change.number };
  const permission = await ask(
    call(deps.bus, GetPermission, {
      org_id: job.orgId,
      target,
      user_id: author.id,
      username: author.username,
    }),
  );
  let told: Told = permission.done ? {} : { error: permission.problem };
  if (permission.done) {
    await ask(
      call(deps.bus, ReactToComment, {
        org_id: job.orgId,
        target,
        comment_id: comment.id,
        emoji: permission.may_write ? "eyes" : "confused",
      }),
    );
    const text = permission.may_write ? await runCommand(deps, job) : deniedReply(event.command.verb);
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
    told = reply.done ? present({ url: reply.url }) : { error: reply.problem };
  }
  await tellOfComment(deps, job, told);
  await endJob(deps.database.org(job.orgId), job.id, {});
}

/** @throws {AppError} `unavailable` to be tried again, not before the code host wants that */
async function ask<A extends { done: true } | Refused>(asked: Promise<A>): Promise<A> {
  const answer = await asked;
  if (!answer.done && answer.problem === "unavailable") throw refusedForNow(answer);
  return answer;
}
