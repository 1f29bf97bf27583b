import { Type as t, type Static } from "@sinclair/typebox";

import { defineRequest, words } from "../contract.ts";
import { ChangeRequestNumber, CommitSha, Url, Uuid } from "../common.ts";
import { HostWord } from "./code-hosts.ts";

/**
 * Destination of a comment: a merge request on GitLab (`vcs`), or a pull request on GitHub (`planner`) through the
 * installed app. `vcs` uses the stored token of `config_id`, or of any enabled config for the repository.
 */
export const CommentTarget = t.Object({
  source: HostWord,
  config_id: t.Optional(Uuid),
  repository: t.String({ minLength: 1, maxLength: 1_000 }),
  number: ChangeRequestNumber,
  /** URL of its page if known. It shows on which of several GitLab hosts the merge request is. */
  url: t.Optional(Url),
});
export type CommentTarget = Static<typeof CommentTarget>;

export const COMMENT_PROBLEMS = [
  "app_not_configured",
  "app_not_installed",
  "organization_not_named",
  "token_missing",
  "token_rejected",
  "not_found",
  "forbidden",
  "too_large",
  "unavailable",
] as const;
/** Reason why nothing was written, as a fixed code. Only `unavailable` is worth an early retry. */
export const CommentProblem = words(COMMENT_PROBLEMS);
export type CommentProblem = Static<typeof CommentProblem>;

const Refused = t.Object({
  done: t.Literal(false),
  problem: CommentProblem,
  retry_after_seconds: t.Optional(t.Integer({ minimum: 1 })),
});
export type Refused = Static<typeof Refused>;

const Marker = t.String({ maxLength: 500 });

/**
 * Creates or updates a comment. An existing comment with the same marker is edited, and left alone if its text is the
 * same. A text that exceeds the host's limit comes in `parts`, each with its own marker; obsolete parts are deleted.
 */
export const PutComment = defineRequest("webhooks.comments.put", {
  callers: ["analyzer"],
  input: t.Object({
    org_id: Uuid,
    target: CommentTarget,
    /**
     * Markdown. The first line of each part is its marker (`<!-- leeway:… -->`); the first part is the comment
     * itself.
     */
    parts: t.Array(t.Object({ marker: Marker, body: t.String() }), { minItems: 1, maxItems: 20 }),
    /** Former markers of the first part. A comment found by one of them gets the current marker. */
    former_markers: t.Optional(t.Array(Marker, { maxItems: 10 })),
  }),
  output: t.Union([
    t.Object({
      done: t.Literal(true),
      outcome: words(["created", "updated", "unchanged"]),
      url: t.Optional(t.String()),
    }),
    Refused,
  ]),
  timeoutMs: 60_000,
});

/** Acknowledges a comment with an emoji; repeated calls add no second one. */
export const ReactToComment = defineRequest("webhooks.comments.react", {
  callers: ["analyzer"],
  input: t.Object({
    org_id: Uuid,
    target: CommentTarget,
    comment_id: t.Integer(),
    emoji: words(["eyes", "thumbsup", "confused"]),
  }),
  output: t.Union([t.Object({ done: t.Literal(true) }), Refused]),
  timeoutMs: 30_000,
});

/** Replies to a command, in its thread if the host has threads. */
export const ReplyToComment = defineRequest("webhooks.comments.reply", {
  callers: ["analyzer"],
  input: t.Object({
    org_id: Uuid,
    target: CommentTarget,
    /** Identifies the reply: a repeated call with the same marker writes no second one. */
    marker: Marker,
    body: t.String(),
    discussion_id: t.Optional(t.String({ maxLength: 1_000 })),
  }),
  output: t.Union([t.Object({ done: t.Literal(true), url: t.Optional(t.String()) }), Refused]),
  timeoutMs: 60_000,
});

/** Returns the current commit of a merge or pull request, if the code host reports one. */
export const GetHead = defineRequest("webhooks.heads.get", {
  callers: ["analyzer"],
  input: t.Object({ org_id: Uuid, target: CommentTarget }),
  output: t.Union([t.Object({ done: t.Literal(true), commit_sha: t.Optional(CommitSha) }), Refused]),
  timeoutMs: 30_000,
});

/** Returns a user's permission in a repository, as reported by the code host. */
export const GetPermission = defineRequest("webhooks.permissions.get", {
  callers: ["analyzer"],
  input: t.Object({
    org_id: Uuid,
    target: CommentTarget,
    user_id: t.Integer(),
    username: t.String({ maxLength: 1_000 }),
  }),
  output: t.Union([t.Object({ done: t.Literal(true), may_write: t.Boolean() }), Refused]),
  timeoutMs: 30_000,
});
