import { Type as t, type Static } from "@sinclair/typebox";

import { defineBroadcast, defineEvent, defineRequest, words } from "../contract.ts";
import {
  Actor,
  BodyReference,
  ChangeRequestNumber,
  CommitSha,
  NewId,
  page,
  PageInput,
  SpeaksFor,
  Timestamp,
  Url,
  Uuid,
} from "../common.ts";
import { ByokDenial, SlotDenial, SlotGrant } from "../quota/slots.ts";
import {
  AnalyzeResult,
  AttributeChange,
  FailOn,
  FixResult,
  Narrative,
  RiskLevel,
  RiskProfile,
} from "./analysis.ts";

const Name = t.String({ minLength: 1, maxLength: 1_000 });

/** A plan submitted by a pipeline, with its metadata. */
export const Submission = t.Object({
  plan: t.Object({}, { additionalProperties: true, description: "Output of `terraform show -json`" }),
  repository: t.Optional(Name),
  ref: t.Optional(Name),
  commit_sha: t.Optional(CommitSha),
  author: t.Optional(
    t.String({
      ...Name,
      description: "Username at the code host of the person who opened the merge or pull request, or pushed",
    }),
  ),
  project: t.Optional(
    t.Object({ name: t.Optional(Name), dir: t.Optional(Name), workspace: t.Optional(Name) }),
  ),
  change_request: t.Optional(t.Object({ number: ChangeRequestNumber, url: t.Optional(Url) })),
  speculative: t.Optional(
    t.Boolean({
      description:
        "Whether this plan will not be applied, as in a merge request. Such a plan doesn't update the drift of an account",
    }),
  ),
  pipeline_url: t.Optional(Url),
  tool: t.Optional(words(["terraform", "opentofu", "terragrunt", "pulumi"])),
  fail_on: t.Optional(FailOn),
  risk_profile: t.Optional(
    t.Unsafe<RiskProfile>({
      ...RiskProfile,
      description: "Overrides the organization's risk profile for this analysis",
    }),
  ),
  narrative: t.Optional(t.Boolean({ default: true })),
  comment: t.Optional(t.Boolean({ default: false })),
  labels: t.Optional(
    t.Record(t.String({ maxLength: 100 }), t.String({ maxLength: 1_000 }), { maxProperties: 100 }),
  ),
});
export type Submission = Static<typeof Submission>;

export const JOB_KINDS = ["analyze", "plan_noise_fix", "drift_narrative"] as const;
export const JOB_STATUSES = ["queued", "running", "done", "error"] as const;
const JobKind = words(JOB_KINDS);
const JobStatus = words(JOB_STATUSES);

/** Subject of a job, if it has one, and a short form of its result. */
const About = {
  repository: t.Optional(t.String()),
  project: Submission.properties.project,
  change_request: Submission.properties.change_request,
  speculative: Submission.properties.speculative,
  ref: t.Optional(t.String({ description: "Branch of the plan" })),
  commit_sha: t.Optional(t.String()),
  author: Submission.properties.author,
  pipeline_url: t.Optional(t.String()),
  fingerprint: t.Optional(t.String({ description: "Fingerprint of the noise to fix" })),
  snapshot_id: t.Optional(t.String({ ...Uuid, description: "Snapshot that the narrative explains" })),
  risk_level: t.Optional(
    t.Unsafe<RiskLevel>({
      ...RiskLevel,
      description: "Absent if the plan failed before a rule found anything",
    }),
  ),
  gate_passed: t.Optional(t.Boolean()),
};

/** A job that may call a model. */
export const LlmJob = t.Object({
  id: Uuid,
  kind: JobKind,
  status: JobStatus,
  ...About,
  result: t.Optional(t.Union([AnalyzeResult, FixResult, Narrative])),
  error: t.Optional(t.Object({ code: t.String(), message: t.String() })),
  created_at: Timestamp,
  started_at: t.Optional(Timestamp),
  finished_at: t.Optional(Timestamp),
  expires_at: Timestamp,
});
export type LlmJob = Static<typeof LlmJob>;

/** A job as shown in lists. */
export const ListedJob = t.Omit(LlmJob, ["result"]);
export type ListedJob = Static<typeof ListedJob>;

/** An accepted job, or the denial by a gate. `grant` is set if the job holds a slot or needs none. */
export const Submitted = t.Union([
  t.Object({
    accepted: t.Literal(true),
    job_id: Uuid,
    kind: JobKind,
    status: JobStatus,
    created_at: Timestamp,
    grant: t.Optional(SlotGrant),
  }),
  t.Object({ accepted: t.Literal(false), denial: t.Union([ByokDenial, SlotDenial]) }),
]);
export type Submitted = Static<typeof Submitted>;

/**
 * Accepts a plan for analysis and takes a slot of the platform's model for it. The body is a `Submission` as JSON,
 * optionally gzipped.
 * @throws {AppError} `invalid_body`, `invalid_parameter`, `payload_too_large`, `repository_mismatch`, `unsupported_plan_format`,
 * `plan_is_state_file`, `plan_is_binary`, `plan_is_stream`, `state_encrypted`
 */
export const SubmitPlan = defineRequest("analyzer.plans.submit", {
  input: t.Object({
    org_id: Uuid,
    job_id: NewId,
    submitted_by: Actor,
    speaks_for: t.Optional(SpeaksFor),
    body: BodyReference,
  }),
  output: Submitted,
  timeoutMs: 20_000,
});

/**
 * Announces a queued job: a plan, an accepted event, a fix or a narrative. The job itself is in the database. A
 * started job is only resumed if it is `abandoned`, which means that its worker no longer works on it.
 */
export const JobQueued = defineEvent("analyzer.job.queued", {
  stream: "ANALYZER",
  payload: t.Object({ org_id: Uuid, job_id: Uuid, abandoned: t.Optional(t.Boolean()) }),
});

/** Announces a finished job by its id, whichever instance ran it. */
export const JobEnded = defineBroadcast("analyzer.job.ended");

/** Returns one job, once it has finished or `wait` seconds have passed. */
export const GetJob = defineRequest("analyzer.jobs.get", {
  input: t.Object({
    org_id: Uuid,
    job_id: Uuid,
    wait: t.Optional(t.Integer({ minimum: 0, maximum: 25, default: 0 })),
  }),
  output: LlmJob,
  timeoutMs: 28_000,
});

/** Lists an organization's jobs, newest first. */
export const ListJobs = defineRequest("analyzer.jobs.list", {
  fromReplica: true,
  input: t.Object({
    ...PageInput,
    kind: t.Optional(JobKind),
    status: t.Optional(JobStatus),
    ref: t.Optional(t.Unsafe<string>({ ...Name, description: "Branch of the plan" })),
    q: t.Optional(
      t.String({
        minLength: 1,
        maxLength: 200,
        description:
          "Part of the repository, the project, the branch, the commit or the number of the request, such as `#42`. Case doesn't matter",
      }),
    ),
  }),
  output: page(ListedJob),
});

/** Max number of changes listed for one plan. */
export const MAX_PLAN_CHANGES = 10_000;

/** A resource that a plan changes. */
export const PlanChange = t.Object({
  address: t.String(),
  previous_address: t.Optional(t.String({ description: "Address before a move" })),
  module_address: t.Optional(t.String({ description: "Absent in the root module" })),
  resource_type: t.String(),
  provider_name: t.String(),
  actions: t.Array(t.String({ description: "Terraform's actions" })),
  deposed: t.Optional(t.String({ description: "Key of a deposed object" })),
  importing: t.Optional(t.Boolean({ description: "Whether it is imported. Absent if not" })),
  attribute_count: t.Integer({ description: "Attributes that differ" }),
  attribute_changes: t.Optional(
    t.Array(AttributeChange, { description: "The differences. Only with `address`. At most 500" }),
  ),
});
export type PlanChange = Static<typeof PlanChange>;

/**
 * Lists what a plan changes, in the plan's order.
 * @throws {AppError} `not_found` also if the plan is deleted already; `too_slow_to_read`
 */
export const ListPlanChanges = defineRequest("analyzer.plan_changes.list", {
  input: t.Object({
    org_id: Uuid,
    job_id: Uuid,
    address: t.Optional(
      t.String({
        minLength: 1,
        maxLength: 2_000,
        description: "Lists only the changes of this address, with their attributes",
      }),
    ),
  }),
  output: t.Composite([
    page(PlanChange),
    t.Object({
      total_count: t.Integer({
        description: `Changes of the plan, of which the first ${MAX_PLAN_CHANGES} are listed`,
      }),
    }),
  ]),
  timeoutMs: 20_000,
});

/** Queues a narrative for a drift snapshot. */
export const NarrateSnapshot = defineRequest("analyzer.snapshots.narrate", {
  callers: ["gateway", "inventory"],
  input: t.Object({ org_id: Uuid, job_id: NewId, snapshot_id: Uuid, requested_by: Actor }),
  output: Submitted,
});

/** Deletes everything of an organization. */
export const PurgeAnalyzer = defineRequest("analyzer.orgs.purge", {
  input: t.Object({ org_id: Uuid }),
  output: t.Object({}),
  timeoutMs: 300_000,
});
