import type { Input, Output } from "@leeway/shared/contract";
import { CommitSha } from "@leeway/shared/contracts/common";
import type {
  CommentTarget,
  GetHead,
  GetPermission,
  PutComment,
  ReactToComment,
  ReplyToComment,
} from "@leeway/shared/contracts/webhooks/comments";
import { present } from "@leeway/shared/json";
import { Value } from "@sinclair/typebox/value";

import type { CodeHost } from "./code-host.ts";
import { HostFailure } from "./failure.ts";
import { atHost, type HostDependencies } from "./open-host.ts";
import { putComment as put, requireFitting, withMarker } from "./put-comment.ts";
import type { Turns } from "./turns.ts";

export interface CommentDependencies extends HostDependencies {
  turns: Turns;
}

type Refused = Extract<Output<typeof ReactToComment>, { done: false }>;
type Where = { org_id: string; target: CommentTarget };

export function putComment(
  deps: CommentDependencies,
  input: Input<typeof PutComment>,
): Promise<Output<typeof PutComment>> {
  return inTurn(deps, input, async (host) => {
    const { outcome, url } = await put(host, input.parts, input.former_markers);
    return { done: true, outcome, ...present({ url }) };
  });
}

export function reactToComment(
  deps: CommentDependencies,
  input: Input<typeof ReactToComment>,
): Promise<Output<typeof ReactToComment>> {
  return inTurn(deps, input, async (host) => {
    await host.react(input.comment_id, input.emoji);
    return { done: true };
  });
}

export function replyToComment(
  deps: CommentDependencies,
  input: Input<typeof ReplyToComment>,
): Promise<Output<typeof ReplyToComment>> {
  const { marker, discussion_id: discussionId } = input;
  return inTurn(deps, input, async (host) => {
    const body = withMarker(marker, input.body);
    requireFitting(host, body);
    const before = (await host.ownComments()).find(({ firstLine }) => firstLine === marker);
    const { url } = before ?? (await host.reply(body, discussionId));
    return { done: true, ...present({ url }) };
  });
}

export function getHead(
  deps: CommentDependencies,
  input: Input<typeof GetHead>,
): Promise<Output<typeof GetHead>> {
  return inTurn(deps, input, async (host) => {
    const sha = (await host.head())?.toLowerCase();
    return { done: true, ...(Value.Check(CommitSha, sha) && { commit_sha: sha }) };
  });
}

export function getPermission(
  deps: CommentDependencies,
  input: Input<typeof GetPermission>,
): Promise<Output<typeof GetPermission>> {
  const user = { id: input.user_id, username: input.username };
  return inTurn(deps, input, async (host) => ({ done: true, may_write: await host.mayWrite(user) }));
}

/** Does `work` while nobody else asks the code host about that repository; what it refuses is an answer. */
async function inTurn<T>(
  deps: CommentDependencies,
  { org_id: orgId, target }: Where,
  work: (host: CodeHost) => Promise<T>,
): Promise<T | Refused> {
  const name = `${target.source} ${target.repository}`;
  try {
    return await deps.turns.take({ orgId, name }, (keep) => atHost(deps, { orgId, target, keep }, work));
  } catch (error) {
    if (!(error instanceof HostFailure)) throw error;
    const { problem, retryAfterSeconds } = error;
    deps.log.warn({ org_id: orgId, source: target.source, problem }, "a code host didn't do as asked");
    return { done: false, problem, ...present({ retry_after_seconds: retryAfterSeconds }) };
  }
}
