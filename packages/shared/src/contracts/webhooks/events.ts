import { Type as t, type Static } from "@sinclair/typebox";

import { words } from "../../contract.ts";
import { Timestamp, Uuid } from "../common.ts";

export const SOURCES = ["planner", "vcs"] as const;
export const Source = words(SOURCES);
/** Who sends a webhook. */
export type Source = Static<typeof Source>;

/** The merge or pull request that an event is about. */
const ChangeRequest = t.Object({
  number: t.Integer(),
  url: t.Optional(t.String()),
  head_branch: t.Optional(t.String()),
  base_branch: t.Optional(t.String()),
});

/** What a planner ran in: at least one of them tells its projects apart. */
const Project = t.Object({
  name: t.Optional(t.String()),
  dir: t.Optional(t.String()),
  workspace: t.Optional(t.String()),
});

const Outcome = words(["success", "failure"]);

/** A plan that a planner made; secrets in `plan` are masked. */
export const PlanEvent = t.Object({
  kind: t.Literal("plan"),
  event_id: Uuid,
  occurred_at: t.Optional(Timestamp),
  repository: t.String(),
  change_request: t.Optional(ChangeRequest),
  commit_sha: t.Optional(t.String()),
  project: Project,
  status: Outcome,
  tool: t.Optional(t.String()),
  plan: t.Optional(t.Record(t.String(), t.Unknown(), { description: "As `terraform show -json`, pruned" })),
});

/** What a planner applied. */
export const ApplyEvent = t.Object({
  kind: t.Literal("apply"),
  repository: t.String(),
  change_request: t.Optional(ChangeRequest),
  commit_sha: t.Optional(t.String()),
  project: Project,
  status: Outcome,
});

const Count = t.Optional(t.Integer());

/** What a planner's own drift detection found. */
export const DriftReport = t.Object({
  kind: t.Literal("drift"),
  repository: t.String(),
  ref: t.Optional(t.String()),
  detection_id: t.Optional(t.String()),
  projects: t.Array(
    t.Object({
      project: Project,
      has_drift: t.Boolean(),
      to_add: Count,
      to_change: Count,
      to_destroy: Count,
      to_import: Count,
      to_forget: Count,
      summary: t.Optional(t.String()),
    }),
  ),
});

const Author = t.Object({ id: t.Integer(), username: t.String() });

/** Where on a code host something happened. */
const MERGE_REQUEST = {
  repository: t.String({ description: "Path of the project with its namespace" }),
  project_id: t.Integer(),
  change_request: ChangeRequest,
  commit_sha: t.Optional(t.String()),
  from_fork: t.Boolean(),
  author: Author,
};

/** A merge request whose code is to be looked at. */
export const MergeRequestEvent = t.Object({
  kind: t.Literal("merge_request"),
  action: words(["opened", "reopened", "updated"]),
  ...MERGE_REQUEST,
});

/** A command in a comment; `unknown` is answered with help. */
export const Command = t.Union([
  t.Object({ verb: t.Literal("help") }),
  t.Object({ verb: t.Literal("analyze") }),
  t.Object({ verb: t.Literal("status") }),
  t.Object({ verb: t.Literal("rescan") }),
  t.Object({ verb: t.Literal("explain"), address: t.String() }),
  t.Object({
    verb: t.Literal("ignore"),
    fingerprint: t.String(),
    until: t.Optional(t.String({ description: "A duration such as 30d, or a date" })),
    reason: t.Optional(t.String()),
  }),
  t.Object({ verb: t.Literal("unignore"), fingerprint: t.String() }),
  t.Object({ verb: t.Literal("fix"), fingerprint: t.String() }),
  t.Object({ verb: t.Literal("unknown"), problem: t.String() }),
]);
export type Command = Static<typeof Command>;

/** A comment on a merge request that holds a command. */
export const CommentEvent = t.Object({
  kind: t.Literal("comment"),
  ...MERGE_REQUEST,
  comment: t.Object({
    id: t.Integer(),
    url: t.Optional(t.String()),
    discussion_id: t.Optional(t.String()),
  }),
  command: Command,
});

/** What an inbound webhook says, in words of ours, whoever sent it. */
export const InboundEvent = t.Union([PlanEvent, ApplyEvent, DriftReport, MergeRequestEvent, CommentEvent]);
export type InboundEvent = Static<typeof InboundEvent>;
