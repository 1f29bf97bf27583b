import { call as ask } from "@leeway/shared/bus/request";
import {
  GetJob,
  ListJobs,
  ListPlanChanges,
  NarrateSnapshot,
  Submission,
  SubmitPlan,
} from "@leeway/shared/contracts/analyzer/jobs";
import { RETENTION } from "@leeway/shared/contracts/retention";
import { decode } from "@leeway/shared/values/decode";
import { present } from "@leeway/shared/values/json";
import { Type as t } from "@sinclair/typebox";

import { actorOf } from "../auth/caller.ts";
import { endpoint, type Endpoint } from "../http/endpoint.ts";
import { JOB_ANSWERS, jobAnswer } from "../http/job-answer.ts";
import { relay } from "../http/relay.ts";
import { awaitJob } from "./await-job.ts";
import { pageOf } from "../examples/common.ts";
import { LISTED_JOB, LLM_JOB, PLAN_CHANGE, SUBMISSION } from "../examples/analyzer.ts";

const TAG = "Plan analysis";
const ORGANIZATION = "/api/v2/orgs/:id";
const LARGEST_PLAN_BYTES = 20 * 1024 * 1024;
const LONGEST_WAIT_SECONDS = 25;

const analyze = endpoint({
  method: "POST",
  path: `${ORGANIZATION}/analyze`,
  operationId: "analyzePlan",
  tag: TAG,
  summary: "Analyze a plan",
  description: `Queues a plan for analysis of its risks and noise, with an explanation. Poll the job at \`poll_url\`. Unless \`narrative\` is false, the request takes a slot of the platform's model, or is denied by the gate that has none left. Organizations with their own key need no slot. The limit is 20 MiB, both as sent and as inflated.`,
  who: "member",
  only: "api_key",
  checksRepository: true,
  upload: {
    owner: "analyzer",
    maxBytes: LARGEST_PLAN_BYTES,
    description:
      "Output of `terraform show -json PLAN` with its metadata, optionally with `Content-Encoding: gzip`",
    schema: Submission,
  },
  bodyExample: SUBMISSION,
  ...JOB_ANSWERS,
  errors: [
    "invalid_body",
    "plan_is_binary",
    "plan_is_state_file",
    "plan_is_stream",
    "repository_mismatch",
    "state_encrypted",
    "too_slow_to_read",
    "unsupported_format",
    "unsupported_plan_format",
  ],
  limit: ({ analyzeLimit }) => analyzeLimit,
  creates: true,
  async handle({ orgId, caller, upload, attemptId }, { bus }) {
    const by = { submitted_by: actorOf(caller), ...present({ speaks_for: caller.speaksFor }) };
    const input = { org_id: orgId, job_id: attemptId, ...by, body: upload };
    return jobAnswer(orgId, await ask(bus, SubmitPlan, decode(SubmitPlan.input, input)));
  },
});

const listJobs = relay(ListJobs, {
  method: "GET",
  path: `${ORGANIZATION}/llm-jobs`,
  operationId: "listLlmJobs",
  tag: TAG,
  summary: "List jobs",
  description: `Lists plan analyses, noise fixes and drift narratives of the last ${RETENTION.jobs.days} days, newest first, without results.`,
  who: "viewer",
  success: {
    status: 200,
    description: "The jobs",
    schema: ListJobs.output,
    example: pageOf(LISTED_JOB),
  },
  errors: ["invalid_cursor"],
});

const getJob = relay(GetJob, {
  method: "GET",
  path: `${ORGANIZATION}/llm-jobs/:job_id`,
  operationId: "getLlmJob",
  tag: TAG,
  summary: "Get a job",
  description:
    "Returns a plan analysis, fix or narrative. `wait` holds the request until the job finishes or the given number of seconds passes.",
  who: "viewer",
  exchange: (gateway, input) => awaitJob(gateway, decode(GetJob.input, input)),
  query: {
    wait: t.Integer({
      minimum: 0,
      maximum: LONGEST_WAIT_SECONDS,
      default: 0,
      description: "Seconds to wait for the job to finish",
      errorMessage: `must be a whole number of seconds from 0 to ${LONGEST_WAIT_SECONDS}`,
    }),
  },
  success: { status: 200, description: "The job", schema: GetJob.output, example: LLM_JOB },
});

const listPlanChanges = relay(ListPlanChanges, {
  method: "GET",
  path: `${ORGANIZATION}/llm-jobs/:job_id/changes`,
  operationId: "listPlanChanges",
  tag: TAG,
  summary: "List a plan's changes",
  description: `Lists the resources that a plan changes, imports or moves, in the plan's order. With \`address\`, it lists one, with the attributes that differ. Plans are kept for ${RETENTION.inputs.days} days. Always one page.`,
  who: "viewer",
  success: {
    status: 200,
    description: "The changes",
    schema: ListPlanChanges.output,
    example: { ...pageOf(PLAN_CHANGE), total_count: 1 },
  },
  errors: ["not_found", "too_slow_to_read"],
});

const narrateSnapshot = endpoint({
  method: "POST",
  path: `${ORGANIZATION}/drift-snapshots/:snapshot_id/narrative`,
  operationId: "narrateDriftSnapshot",
  tag: "Drift",
  summary: "Explain a drift snapshot",
  description:
    "Queues a narrative for the snapshot. Once it is finished, the job and the snapshot contain it; until then, the snapshot keeps the previous narrative. It takes a slot like an analysis. If a narrative is already in progress, the response contains its job.",
  who: "member",
  params: t.Object({ snapshot_id: NarrateSnapshot.input.properties.snapshot_id }),
  ...JOB_ANSWERS,
  creates: true,
  async handle({ orgId, caller, params, attemptId }, { bus }) {
    const input = { org_id: orgId, job_id: attemptId, requested_by: actorOf(caller), ...params };
    return jobAnswer(orgId, await ask(bus, NarrateSnapshot, input));
  },
});

export const analyses: readonly Endpoint[] = [analyze, listJobs, getJob, listPlanChanges, narrateSnapshot];
