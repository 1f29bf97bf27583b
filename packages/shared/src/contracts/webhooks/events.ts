import { Type as t, type Static } from "@sinclair/typebox";

import { words } from "../contract.ts";
import { keysOf } from "../../values/keys-of.ts";
import { ChangeRequestNumber, CommitSha, Timestamp, Url, Uuid } from "../common.ts";
import { CodeHostKind } from "./code-hosts.ts";
import { Command } from "./commands.ts";

/** A kind of webhook sender: how it proves who it is, and the code host it reports on. */
export interface Sender {
  /** An HMAC-SHA-256 of the body under the secret, or the secret itself. */
  authentication: "signature" | "token";
  /** Headers with the credential. The first one present counts, valid or not. */
  headers: readonly string[];
  /** Code host whose merge requests and comments it reports; absent for planners. */
  codeHost?: CodeHostKind;
  /** Set if its configs store a token for the code host. */
  hasApiToken?: true;
}

/** Senders of webhooks, by the name in the URL. */
export const SENDERS = {
  planner: { authentication: "signature", headers: ["x-planner-signature", "x-hub-signature-256"] },
  vcs: {
    authentication: "token",
    headers: ["x-vcs-token", "x-gitlab-token"],
    codeHost: "gitlab",
    hasApiToken: true,
  },
} as const satisfies Record<string, Sender>;
/** Name of a webhook sender. */
export type Source = keyof typeof SENDERS;
export const SOURCES = keysOf(SENDERS);
export const Source = words(SOURCES);

export function senderOf(source: Source): Sender {
  return SENDERS[source];
}

/** Returns whether commands in comments of this kind of code host reach Leeway. */
export function acceptsCommands(kind: CodeHostKind): boolean {
  return Object.values<Sender>(SENDERS).some(({ codeHost }) => codeHost === kind);
}

/**
 * Maximum length in characters. Longer names are omitted instead of cut, because a cut name would denote something
 * else.
 */
export const LONGEST_NAME = 1_000;
/** Maximum length in characters; longer prose is cut. */
export const LONGEST_PROSE = 2_000;

const Name = t.String({ minLength: 1, maxLength: LONGEST_NAME });
const Prose = t.String({ maxLength: LONGEST_PROSE });
const Id = t.Integer({ minimum: 0 });
const Count = t.Optional(Id);

/** The merge or pull request of an event. */
const ChangeRequest = t.Object({
  number: ChangeRequestNumber,
  url: t.Optional(Url),
  head_branch: t.Optional(Name),
  base_branch: t.Optional(Name),
});

/** A planner's project, identified by at least one of these members. */
const Project = t.Object(
  { name: t.Optional(Name), dir: t.Optional(Name), workspace: t.Optional(Name) },
  { minProperties: 1 },
);

const Outcome = words(["success", "failure"]);

/** Subject of a planner's plan or apply. */
const PLANNED = {
  repository: Name,
  change_request: t.Optional(ChangeRequest),
  commit_sha: t.Optional(CommitSha),
  project: Project,
  status: Outcome,
};

/** A plan made by a planner, with secrets in `plan` masked. */
export const PlanEvent = t.Object({
  kind: t.Literal("plan"),
  event_id: Uuid,
  occurred_at: t.Optional(Timestamp),
  ...PLANNED,
  tool: t.Optional(Name),
  author: t.Optional(Name),
  plan: t.Optional(
    t.Record(t.String(), t.Unknown(), {
      description: "Pruned output of `terraform show -json`. Present unless the plan failed",
    }),
  ),
});

/** An apply run by a planner. */
export const ApplyEvent = t.Object({ kind: t.Literal("apply"), ...PLANNED });

/** Result of a planner's own drift detection. */
export const DriftReport = t.Object({
  kind: t.Literal("drift"),
  repository: Name,
  ref: t.Optional(Name),
  detection_id: t.Optional(Name),
  projects: t.Array(
    t.Object({
      project: Project,
      has_drift: t.Boolean(),
      to_add: Count,
      to_change: Count,
      to_destroy: Count,
      to_import: Count,
      to_forget: Count,
      summary: t.Optional(Prose),
    }),
  ),
});

/** Location of an event on a code host; see `codeHostOf`. */
const MERGE_REQUEST = {
  code_host: t.Optional(CodeHostKind),
  repository: t.String({ ...Name, description: "Path of the project, including its namespace" }),
  project_id: Id,
  change_request: ChangeRequest,
  commit_sha: t.Optional(CommitSha),
  from_fork: t.Boolean({ description: "Also true if the source project was deleted or is unknown" }),
};

/** A merge request whose code should be analyzed. */
export const MergeRequestEvent = t.Object({
  kind: t.Literal("merge_request"),
  action: words(["opened", "reopened", "updated"]),
  ...MERGE_REQUEST,
  author: t.Optional(t.Object({ id: t.Optional(Id), username: Name })),
});

/** A comment on a merge request that contains a command. */
export const CommentEvent = t.Object({
  kind: t.Literal("comment"),
  ...MERGE_REQUEST,
  author: t.Object({ id: Id, username: Name }),
  comment: t.Object({
    id: Id,
    url: t.Optional(Url),
    discussion_id: t.Optional(Name),
  }),
  command: Command,
});

/** Returns the kind of an event's code host. An event of GitLab doesn't name it, because older analyzers know no other. */
export function codeHostOf({ code_host: kind = "gitlab" }: { code_host?: CodeHostKind }): CodeHostKind {
  return kind;
}

/** An inbound webhook in our own format, independent of its sender. */
export const InboundEvent = t.Union([PlanEvent, ApplyEvent, DriftReport, MergeRequestEvent, CommentEvent]);
export type InboundEvent = Static<typeof InboundEvent>;
