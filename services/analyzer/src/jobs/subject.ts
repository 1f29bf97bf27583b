import type { FailOn, RiskProfile } from "@leeway/shared/contracts/analyzer/analysis";
import type { Submission } from "@leeway/shared/contracts/analyzer/jobs";
import type { FixInput } from "@leeway/shared/contracts/analyzer/noise";
import type { Actor } from "@leeway/shared/contracts/common";
import type { CommentTarget } from "@leeway/shared/contracts/webhooks/comments";
import type { CommentEvent, MergeRequestEvent } from "@leeway/shared/contracts/webhooks/events";
import type { Static } from "@sinclair/typebox";

/** Origin of a plan. */
type PlanOrigin = Pick<
  Submission,
  | "repository"
  | "ref"
  | "commit_sha"
  | "author"
  | "project"
  | "change_request"
  | "speculative"
  | "pipeline_url"
  | "tool"
  | "labels"
>;

/** Analysis of a plan, and the use of its result. */
export interface AnalyzeSubject extends PlanOrigin {
  kind: "analyze";
  /** Code host of the repository, if the submitter proved it. */
  host?: string;
  fail_on: FailOn;
  /** Profile chosen by the pipeline; defaults to the organization's setting. */
  risk_profile?: RiskProfile;
  /** Whether a model writes the narrative. */
  narrative: boolean;
  /** Merge request to comment on; absent when no comment is wanted. */
  target?: CommentTarget;
  /** Webhook delivery that brought the plan. */
  delivery_id?: string;
  /** Set if an earlier job has analyzed the same plan. */
  again?: true;
}

/** Returns whether a plan belongs to a proposed change, so it doesn't describe the deployed code. */
export function isProposed({ change_request: change, speculative = false }: PlanOrigin): boolean {
  return change !== undefined || speculative;
}

export interface FixSubject extends Pick<FixInput, "repository" | "strategy"> {
  kind: "plan_noise_fix";
  fingerprint: string;
  /** Source whose merge or pull request should contain the fix, and who asked for it. */
  request?: { source_id: string; decided_by: Actor };
}

export interface NarrateSubject {
  kind: "drift_narrative";
  snapshot_id: string;
}

/** Event of a code host, with the config and delivery that brought it. */
export interface MergeRequestSubject {
  kind: "merge_request";
  config_id: string;
  delivery_id?: string;
  event: Static<typeof MergeRequestEvent>;
}
export interface CommentSubject {
  kind: "comment";
  config_id: string;
  delivery_id?: string;
  event: Static<typeof CommentEvent>;
}

/** Report to the inventory about the state that an analyzed plan was made from. */
export interface ReportSubject {
  kind: "plan_report";
  /** Job that analyzed the plan. */
  analyze_job_id: string;
  /** Submission time of the plan. */
  planned_at: string;
}

/** Comment of an analysis that the code host temporarily refused. */
export interface LateCommentSubject {
  kind: "plan_comment";
  analyze_job_id: string;
}

/** Task of a job, by kind. */
export type Subject =
  | AnalyzeSubject
  | FixSubject
  | NarrateSubject
  | MergeRequestSubject
  | CommentSubject
  | ReportSubject
  | LateCommentSubject;
