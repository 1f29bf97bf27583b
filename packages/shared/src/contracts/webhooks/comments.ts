import { Type as t, type Static } from "@sinclair/typebox";

import { defineRequest, words } from "../../contract.ts";
import { ChangeRequestNumber, CommitSha, Url, Uuid } from "../common.ts";
import { Source } from "./events.ts";

/**
 * Where a comment goes: a merge request of the code host (`vcs`, with the stored token of `config_id`, or of
 * any enabled config for the repository), or a pull request (`planner`, through the installed app).
 */
export const CommentTarget = t.Object({
  source: Source,
  config_id: t.Optional(Uuid),
  repository: t.String({ minLength: 1, maxLength: 1_000 }),
  number: ChangeRequestNumber,
  /** Its page, where that is known: it tells which of several GitLabs it is on. */
  url: t.Optional(Url),
});
export type CommentTarget = Static<typeof CommentTarget>;

/** Why nothing could be written, in fixed words; `unavailable` may be tried again, the others not soon. */
export const CommentProblem = words([
  "app_not_configured",
  "app_not_installed",
  "organization_not_named",
  "token_missing",
  "token_rejected",
  "not_found",
  "forbidden",
  "too_large",
  "unavailable",
]);
export type CommentProblem = Static<typeof CommentProblem>;

const Refused = t.Object({
  done: t.Literal(false),
  problem: CommentProblem,
  retry_after_seconds: t.Optional(t.Integer({ minimum: 1 })),
});
export type Refused = Static<typeof Refused>;

const Marker = t.String({ maxLength: 500 });

/**
 * Puts one comment there, in place of what we wrote with the same marker before: looked up first, changed in
 * place, not written when it says the same. A text longer than the host takes comes in `parts`, each with its
 * own marker; parts that are no longer needed are removed.
 */
export const PutComment = defineRequest("webhooks.comments.put", {
  input: t.Object({
    org_id: Uuid,
    target: CommentTarget,
    /** Markdown, each with its marker as its first line (`<!-- leeway:… -->`); the first is the comment itself. */
    parts: t.Array(t.Object({ marker: Marker, body: t.String() }), { minItems: 1, maxItems: 20 }),
    /** Markers that the comment may have in place of its first part's: then it gets that one. */
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

/** Acknowledges a comment with an emoji; once, however often it is asked for. */
export const ReactToComment = defineRequest("webhooks.comments.react", {
  input: t.Object({
    org_id: Uuid,
    target: CommentTarget,
    comment_id: t.Integer(),
    emoji: words(["eyes", "thumbsup", "confused"]),
  }),
  output: t.Union([t.Object({ done: t.Literal(true) }), Refused]),
  timeoutMs: 30_000,
});

/** Answers a command, below it where the host has discussions. */
export const ReplyToComment = defineRequest("webhooks.comments.reply", {
  input: t.Object({
    org_id: Uuid,
    target: CommentTarget,
    /** Tells the reply from others: asking again with the same one writes none. */
    marker: Marker,
    body: t.String(),
    discussion_id: t.Optional(t.String({ maxLength: 1_000 })),
  }),
  output: t.Union([t.Object({ done: t.Literal(true), url: t.Optional(t.String()) }), Refused]),
  timeoutMs: 60_000,
});

/** The commit that a merge or pull request is at; none where the code host tells none. */
export const GetHead = defineRequest("webhooks.heads.get", {
  input: t.Object({ org_id: Uuid, target: CommentTarget }),
  output: t.Union([t.Object({ done: t.Literal(true), commit_sha: t.Optional(CommitSha) }), Refused]),
  timeoutMs: 30_000,
});

/** What somebody may do in a repository, as the code host says. */
export const GetPermission = defineRequest("webhooks.permissions.get", {
  input: t.Object({
    org_id: Uuid,
    target: CommentTarget,
    user_id: t.Integer(),
    username: t.String({ maxLength: 1_000 }),
  }),
  output: t.Union([t.Object({ done: t.Literal(true), may_write: t.Boolean() }), Refused]),
  timeoutMs: 30_000,
});
