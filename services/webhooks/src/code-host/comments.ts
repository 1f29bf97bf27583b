import type { Input, Output } from "@leeway/shared/contracts/contract";
import { CommitSha } from "@leeway/shared/contracts/common";
import { hostKindOf } from "@leeway/shared/contracts/webhooks/code-hosts";
import type {
  CommentTarget,
  GetHead,
  GetPermission,
  PutComment,
  ReactToComment,
  ReplyToComment,
} from "@leeway/shared/contracts/webhooks/comments";
import { present } from "@leeway/shared/values/json";
import { Value } from "@sinclair/typebox/value";

import type { CodeHost } from "./code-host.ts";
import { HostFailure } from "./failure.ts";
import { github } from "./github.ts";
import { gitlab } from "./gitlab.ts";
import { atHost, type HostAccess, type HostDependencies } from "./open-host.ts";
import { putComment as put, requireFitting, withMarker } from "./put-comment.ts";
import type { RepositoryLeases } from "./repository-leases.ts";

export interface CommentDependencies extends HostDependencies {
  leases: RepositoryLeases;
}

type Refused = Extract<Output<typeof ReactToComment>, { done: false }>;
type Where = { org_id: string; target: CommentTarget };

export function putComment(
  deps: CommentDependencies,
  input: Input<typeof PutComment>,
): Promise<Output<typeof PutComment>> {
  return withLease(deps, input, async (host) => {
    const { outcome, url } = await put(host, input.parts, input.former_markers);
    return { done: true, outcome, ...present({ url }) };
  });
}

export function reactToComment(
  deps: CommentDependencies,
  input: Input<typeof ReactToComment>,
): Promise<Output<typeof ReactToComment>> {
  return withLease(deps, input, async (host) => {
    await host.react(input.comment_id, input.emoji);
    return { done: true };
  });
}

export function replyToComment(
  deps: CommentDependencies,
  input: Input<typeof ReplyToComment>,
): Promise<Output<typeof ReplyToComment>> {
  const { marker, discussion_id: discussionId } = input;
  return withLease(deps, input, async (host) => {
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
  return withLease(deps, input, async (host) => {
    const sha = (await host.head())?.toLowerCase();
    return { done: true, ...(Value.Check(CommitSha, sha) && { commit_sha: sha }) };
  });
}

export function getPermission(
  deps: CommentDependencies,
  input: Input<typeof GetPermission>,
): Promise<Output<typeof GetPermission>> {
  const user = { id: input.user_id, username: input.username };
  return withLease(deps, input, async (host) => ({ done: true, may_write: await host.mayWrite(user) }));
}

function openRequest(access: HostAccess, { repository, number }: CommentTarget): CodeHost {
  const { api } = access;
  return access.kind === "gitlab"
    ? gitlab(api, { baseUrl: access.baseUrl, repository, number })
    : github(api, { repository, number, botLogin: access.botLogin });
}

/** Does `work` while no other process calls the code host about the repository. Returns refusals as answers. */
async function withLease<T>(
  deps: CommentDependencies,
  { org_id: orgId, target }: Where,
  work: (host: CodeHost) => Promise<T>,
): Promise<T | Refused> {
  const { source, repository, config_id: configId, url } = target;
  const name = `${source} ${repository}`;
  try {
    return await deps.leases.hold({ orgId, name }, (keep) => {
      const place = { orgId, kind: hostKindOf(source), repository, configId, url, keep };
      return atHost(deps, { ...place, work: "comment" }, (access) => work(openRequest(access, target)));
    });
  } catch (error) {
    if (!(error instanceof HostFailure)) throw error;
    const { problem, retryAfterSeconds } = error;
    deps.log.warn({ org_id: orgId, source: target.source, problem }, "a request to a code host failed");
    return { done: false, problem, ...present({ retry_after_seconds: retryAfterSeconds }) };
  }
}
