import { Type as t, type Static } from "@sinclair/typebox";

import { words } from "../../contract.ts";
import { ChangeRequestNumber, CommitSha, Reason, Timestamp, Url, Uuid } from "../common.ts";

export const SOURCES = ["planner", "vcs"] as const;
export const Source = words(SOURCES);
/** Who sends a webhook. */
export type Source = Static<typeof Source>;

/** In characters; a longer name is left out rather than cut, since it would name something else. */
export const LONGEST_NAME = 1_000;
/** In characters; longer prose is cut. */
export const LONGEST_PROSE = 2_000;

const Name = t.String({ minLength: 1, maxLength: LONGEST_NAME });
const Prose = t.String({ maxLength: LONGEST_PROSE });
const Id = t.Integer({ minimum: 0 });
const Count = t.Optional(Id);

/** The merge or pull request that an event is about. */
const ChangeRequest = t.Object({
  number: ChangeRequestNumber,
  url: t.Optional(Url),
  head_branch: t.Optional(Name),
  base_branch: t.Optional(Name),
});

/** What a planner ran in: at least one of them tells its projects apart. */
const Project = t.Object(
  { name: t.Optional(Name), dir: t.Optional(Name), workspace: t.Optional(Name) },
  { minProperties: 1 },
);

const Outcome = words(["success", "failure"]);

/** What a planner planned or applied, and for which change. */
const PLANNED = {
  repository: Name,
  change_request: t.Optional(ChangeRequest),
  commit_sha: t.Optional(CommitSha),
  project: Project,
  status: Outcome,
};

/** A plan that a planner made; secrets in `plan` are masked. */
export const PlanEvent = t.Object({
  kind: t.Literal("plan"),
  event_id: Uuid,
  occurred_at: t.Optional(Timestamp),
  ...PLANNED,
  tool: t.Optional(Name),
  plan: t.Optional(
    t.Record(t.String(), t.Unknown(), {
      description: "As `terraform show -json`, pruned; always there unless the plan failed",
    }),
  ),
});

/** What a planner applied. */
export const ApplyEvent = t.Object({ kind: t.Literal("apply"), ...PLANNED });

/** What a planner's own drift detection found. */
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

/** Where on a code host something happened. */
const MERGE_REQUEST = {
  repository: t.String({ ...Name, description: "Path of the project with its namespace" }),
  project_id: Id,
  change_request: ChangeRequest,
  commit_sha: t.Optional(CommitSha),
  from_fork: t.Boolean({ description: "Also where the source project is gone or not told" }),
};

/** A merge request whose code is to be looked at. */
export const MergeRequestEvent = t.Object({
  kind: t.Literal("merge_request"),
  action: words(["opened", "reopened", "updated"]),
  ...MERGE_REQUEST,
  author: t.Optional(t.Object({ id: t.Optional(Id), username: Name })),
});

export const Fingerprint = t.String({ pattern: String.raw`^\w[\w:.-]{0,99}$` });

export const Until = t.String({
  pattern: String.raw`^(?:[1-9]\d{0,3}[hdw]|\d{4}-\d\d-\d\d)$`,
  description: "A duration such as 30d, or a date",
});

/** A command in a comment; `unknown` is answered with help. */
export const Command = t.Union([
  t.Object({ verb: t.Literal("help") }),
  t.Object({ verb: t.Literal("analyze") }),
  t.Object({ verb: t.Literal("status") }),
  t.Object({ verb: t.Literal("rescan") }),
  t.Object({ verb: t.Literal("explain"), address: t.String({ minLength: 1, maxLength: LONGEST_PROSE }) }),
  t.Object({
    verb: t.Literal("ignore"),
    fingerprint: Fingerprint,
    until: t.Optional(Until),
    reason: t.Optional(Reason),
  }),
  t.Object({ verb: t.Literal("unignore"), fingerprint: Fingerprint }),
  t.Object({ verb: t.Literal("fix"), fingerprint: Fingerprint }),
  t.Object({ verb: t.Literal("unknown"), problem: t.String() }),
]);
export type Command = Static<typeof Command>;

/** A comment on a merge request that holds a command. */
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

/** What an inbound webhook says, in words of ours, whoever sent it. */
export const InboundEvent = t.Union([PlanEvent, ApplyEvent, DriftReport, MergeRequestEvent, CommentEvent]);
export type InboundEvent = Static<typeof InboundEvent>;
