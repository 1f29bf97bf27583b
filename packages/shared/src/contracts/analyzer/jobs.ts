import { Type as t, type Static } from "@sinclair/typebox";

import { defineBodyRequest, defineBroadcast, defineEvent, defineRequest, words } from "../../contract.ts";
import {
  Actor,
  BodyReference,
  ChangeRequestNumber,
  CommitSha,
  NewId,
  page,
  PageInput,
  Timestamp,
  Url,
  Uuid,
} from "../common.ts";
import { ByokDenial, SlotDenial, SlotGrant } from "../quota/slots.ts";
import { AnalyzeResult, FailOn, FixResult, Narrative, RiskLevel } from "./analysis.ts";

const Name = t.String({ minLength: 1, maxLength: 1_000 });

/** What a pipeline submits beside its plan. */
export const Submission = t.Object({
  plan: t.Object({}, { additionalProperties: true, description: "As `terraform show -json` writes it" }),
  repository: t.Optional(Name),
  ref: t.Optional(Name),
  commit_sha: t.Optional(CommitSha),
  project: t.Optional(
    t.Object({ name: t.Optional(Name), dir: t.Optional(Name), workspace: t.Optional(Name) }),
  ),
  change_request: t.Optional(t.Object({ number: ChangeRequestNumber, url: t.Optional(Url) })),
  speculative: t.Optional(
    t.Boolean({
      description:
        "Nobody applies what was planned: it says nothing of an account, as a merge request's doesn't",
    }),
  ),
  pipeline_url: t.Optional(Url),
  tool: t.Optional(words(["terraform", "opentofu", "terragrunt", "pulumi"])),
  fail_on: t.Optional(FailOn),
  narrative: t.Optional(t.Boolean({ default: true })),
  comment: t.Optional(t.Boolean({ default: false })),
  labels: t.Optional(
    t.Record(t.String({ maxLength: 100 }), t.String({ maxLength: 1_000 }), { maxProperties: 100 }),
  ),
});
export type Submission = Static<typeof Submission>;

const JobKind = words(["analyze", "plan_noise_fix", "drift_narrative"]);
const JobStatus = words(["queued", "running", "done", "error"]);

/** What a job is about, as far as it is about such, and what it came to in short. */
const About = {
  repository: t.Optional(t.String()),
  project: Submission.properties.project,
  change_request: Submission.properties.change_request,
  speculative: Submission.properties.speculative,
  fingerprint: t.Optional(t.String({ description: "Of the noise that is fixed" })),
  snapshot_id: t.Optional(t.String({ ...Uuid, description: "Of the drift that is put into words" })),
  risk_level: t.Optional(
    t.Unsafe<RiskLevel>({
      ...RiskLevel,
      description: "Left out where a plan failed before a rule found anything",
    }),
  ),
  gate_passed: t.Optional(t.Boolean()),
};

/** Work that may call a model. */
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

/** A job as lists have it. */
export const ListedJob = t.Omit(LlmJob, ["result"]);
export type ListedJob = Static<typeof ListedJob>;

/** A job that was taken, or why a gate denied it; `grant` when it holds a slot or needs none. */
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
 * Takes a plan for analysis, and its slot of the model's. The body is a `Submission` as JSON, gzip or not.
 * @throws {AppError} `invalid_body`, `invalid_parameter`, `payload_too_large`, `unsupported_plan_format`,
 * `plan_is_state_file`, `plan_is_binary`, `plan_is_stream`, `state_encrypted`
 */
export const SubmitPlan = defineRequest("analyzer.plans.submit", {
  input: t.Object({ org_id: Uuid, job_id: NewId, submitted_by: Actor, body: BodyReference }),
  output: Submitted,
  timeoutMs: 20_000,
});

/**
 * Work waits: a plan, an accepted event, a fix, a narrative. The job itself is in the database. One that was begun is
 * taken up again only when it is `abandoned`: whoever began it doesn't work on it any more.
 */
export const JobQueued = defineEvent("analyzer.job.queued", {
  stream: "ANALYZER",
  payload: t.Object({ org_id: Uuid, job_id: Uuid, abandoned: t.Optional(t.Boolean()) }),
});

/** A job is over, whichever instance worked it off: its id. */
export const JobEnded = defineBroadcast("analyzer.job.ended");

/** One job, once it has ended or `wait` seconds are over. */
export const GetJob = defineRequest("analyzer.jobs.get", {
  input: t.Object({
    org_id: Uuid,
    job_id: Uuid,
    wait: t.Optional(t.Integer({ minimum: 0, maximum: 25, default: 0 })),
  }),
  output: LlmJob,
  timeoutMs: 28_000,
});

/** An organization's jobs, newest first. */
export const ListJobs = defineRequest("analyzer.jobs.list", {
  input: t.Object({ ...PageInput, kind: t.Optional(JobKind), status: t.Optional(JobStatus) }),
  output: page(ListedJob),
});

/** Has the words for a drift snapshot written. */
export const NarrateSnapshot = defineRequest("analyzer.snapshots.narrate", {
  input: t.Object({ org_id: Uuid, job_id: NewId, snapshot_id: Uuid, requested_by: Actor }),
  output: Submitted,
});

/**
 * Makes jobs of what webhooks brought: of `InboundEvent`s, as JSON one after the other in the body, `bytes` long
 * each. A job is taken once, however often it is given; the answer names those that are jobs.
 */
export const TakeEvents = defineBodyRequest("analyzer.events.take", {
  input: t.Object({
    org_id: Uuid,
    events: t.Array(
      t.Object({ delivery_id: Uuid, job_id: Uuid, config_id: Uuid, bytes: t.Integer({ minimum: 2 }) }),
    ),
  }),
  output: t.Object({ job_ids: t.Array(Uuid) }),
  timeoutMs: 10_000,
});

/** Forgets all of an organization. */
export const PurgeAnalyzer = defineRequest("analyzer.orgs.purge", {
  input: t.Object({ org_id: Uuid }),
  output: t.Object({}),
  timeoutMs: 300_000,
});
