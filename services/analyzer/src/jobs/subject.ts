import type { FailOn } from "@leeway/shared/contracts/analyzer/analysis";
import type { Submission } from "@leeway/shared/contracts/analyzer/jobs";
import type { FixWish } from "@leeway/shared/contracts/analyzer/noise";
import type { CommentTarget } from "@leeway/shared/contracts/webhooks/comments";
import type { CommentEvent, MergeRequestEvent } from "@leeway/shared/contracts/webhooks/events";
import type { Static } from "@sinclair/typebox";

/** Which plan an analysis is of. */
type PlanOrigin = Pick<
  Submission,
  | "repository"
  | "ref"
  | "commit_sha"
  | "project"
  | "change_request"
  | "speculative"
  | "pipeline_url"
  | "tool"
  | "labels"
>;

/** A plan that is analysed, and what is done with the result. */
export interface AnalyzeSubject extends PlanOrigin {
  kind: "analyze";
  fail_on: FailOn;
  /** Whether a model is asked. */
  narrative: boolean;
  /** Where the comment goes; absent when none is wished. */
  target?: CommentTarget;
  /** Of the plan as it came. */
  warnings: string[];
  /** What brought it, if a webhook did. */
  delivery_id?: string;
  /** Where another job has analysed the same plan before. */
  again?: true;
}

/** Whether a plan is of what is only proposed: it says nothing of what shall run. */
export function isProposed({ change_request: change, speculative = false }: PlanOrigin): boolean {
  return change !== undefined || speculative;
}

export interface FixSubject extends Pick<FixWish, "repository" | "strategy"> {
  kind: "plan_noise_fix";
  fingerprint: string;
}

export interface NarrateSubject {
  kind: "drift_narrative";
  snapshot_id: string;
}

/** What happened at a code host, and by which config and delivery we know. */
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

/** What an analysed plan says of the state that it was made of, for the inventory. */
export interface ReportSubject {
  kind: "plan_report";
  /** The job that analysed it. */
  analyze_job_id: string;
  /** When it was submitted. */
  planned_at: string;
}

/** The comment of an analysis that the code host refused for the moment. */
export interface LateCommentSubject {
  kind: "plan_comment";
  analyze_job_id: string;
}

/** What a job is about. */
export type Subject =
  | AnalyzeSubject
  | FixSubject
  | NarrateSubject
  | MergeRequestSubject
  | CommentSubject
  | ReportSubject
  | LateCommentSubject;
