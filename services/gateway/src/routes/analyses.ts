import { call as ask } from "@leeway/shared/bus/request";
import {
  GetJob,
  ListJobs,
  NarrateSnapshot,
  Submission,
  SubmitPlan,
} from "@leeway/shared/contracts/analyzer/jobs";
import { decode } from "@leeway/shared/decode";
import { Type as t } from "@sinclair/typebox";

import { actorOf } from "../auth/caller.ts";
import { endpoint, type Endpoint } from "../http/endpoint.ts";
import { JOB_ANSWERS, jobAnswer } from "../http/job-answer.ts";
import { relay } from "../http/relay.ts";
import { awaitJob } from "./await-job.ts";
import { pageOf } from "../openapi/examples.ts";
import { LISTED_JOB, LLM_JOB, SUBMISSION } from "../openapi/analyzer-examples.ts";

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
  description: `Takes a plan for analysis: what is dangerous in it, what is mere noise, and what it means in words. The job is at
\`poll_url\`. Unless \`narrative\` is false it takes a slot of the platform's model now, or the answer says which gate is closed; with the
organization's own key it takes none. At most 20 MiB, as sent and as inflated.`,
  who: "member",
  only: "api_key",
  upload: {
    mostBytes: LARGEST_PLAN_BYTES,
    description:
      "The plan as `terraform show -json PLAN` writes it, and what is known of it; as it is or with `Content-Encoding: gzip`",
    schema: Submission,
  },
  bodyExample: SUBMISSION,
  ...JOB_ANSWERS,
  errors: [
    "invalid_body",
    "plan_is_binary",
    "plan_is_state_file",
    "plan_is_stream",
    "state_encrypted",
    "unsupported_format",
    "unsupported_plan_format",
  ],
  limit: ({ analyzeLimit }) => analyzeLimit,
  creates: true,
  async handle({ orgId, caller, upload, attemptId }, { bus }) {
    const input = { org_id: orgId, job_id: attemptId, submitted_by: actorOf(caller), body: upload };
    return jobAnswer(orgId, await ask(bus, SubmitPlan, decode(SubmitPlan.input, input)));
  },
});

const listJobs = relay(ListJobs, {
  method: "GET",
  path: `${ORGANIZATION}/llm-jobs`,
  operationId: "listLlmJobs",
  tag: TAG,
  summary: "List jobs",
  description:
    "Analyses of plans, fixes of noise and narratives of drift, newest first, for the 30 days for which they are kept. Their results are left out.",
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
    "What has become of a plan's analysis, a fix or a narrative. With `wait` the answer comes once the job has ended, or after so many seconds as it is then.",
  who: "viewer",
  exchange: (gateway, input) => awaitJob(gateway, decode(GetJob.input, input)),
  query: {
    wait: t.Integer({
      minimum: 0,
      maximum: LONGEST_WAIT_SECONDS,
      default: 0,
      description: "Seconds to wait for its end",
      errorMessage: `must be a whole number of seconds from 0 to ${LONGEST_WAIT_SECONDS}`,
    }),
  },
  success: { status: 200, description: "The job", schema: GetJob.output, example: LLM_JOB },
});

const narrateSnapshot = endpoint({
  method: "POST",
  path: `${ORGANIZATION}/drift-snapshots/:snapshot_id/narrative`,
  operationId: "narrateDriftSnapshot",
  tag: "Drift",
  summary: "Put a drift snapshot into words",
  description:
    "Has a narrative of the snapshot written, which the snapshot and the job show once it is there; words from before stay until then. It takes a slot as an analysis does; while one is written already, the answer is that job.",
  who: "member",
  params: t.Object({ snapshot_id: NarrateSnapshot.input.properties.snapshot_id }),
  ...JOB_ANSWERS,
  creates: true,
  async handle({ orgId, caller, params, attemptId }, { bus }) {
    const input = { org_id: orgId, job_id: attemptId, requested_by: actorOf(caller), ...params };
    return jobAnswer(orgId, await ask(bus, NarrateSnapshot, input));
  },
});

export const analyses: readonly Endpoint[] = [analyze, listJobs, getJob, narrateSnapshot];
