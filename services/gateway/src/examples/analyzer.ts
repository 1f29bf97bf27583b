import { ID } from "./common.ts";

/** Examples of plans, their noise and their jobs, like those in common.ts. */

const AT = "2026-10-07T14:05:12.000Z";
const LATER = "2026-10-07T14:05:19.000Z";
const BYOK = { byok_config_url: `/api/v2/orgs/${ID.org}/llm-config` };
const AWS = "registry.terraform.io/hashicorp/aws";

export const FINGERPRINT = "pn1_k3jz5wq2m7ab4cd6efghijklmn";

export const SUBMISSION = {
  plan: {
    format_version: "1.2",
    terraform_version: "1.9.8",
    resource_changes: [
      {
        address: "aws_sqs_queue.orders",
        mode: "managed",
        type: "aws_sqs_queue",
        name: "orders",
        provider_name: AWS,
        change: { actions: ["delete"], before: { name: "orders" }, after: null },
      },
    ],
  },
  repository: "shop/infrastructure",
  ref: "feature/orders",
  commit_sha: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b",
  author: "grace",
  project: { name: "network", workspace: "prod" },
  change_request: { number: 42, url: "https://gitlab.example.com/shop/infrastructure/-/merge_requests/42" },
  tool: "terraform",
  fail_on: "high",
  risk_profile: "standard",
};

export const JOB_TAKEN = {
  job_id: ID.job,
  kind: "analyze",
  status: "queued",
  poll_url: `/api/v2/orgs/${ID.org}/llm-jobs/${ID.job}`,
  created_at: AT,
};

const PLAN_NOISE_OF_ONE_PLAN = {
  fingerprint: FINGERPRINT,
  class: "json_policy_normalization",
  title: "The same policy in another notation",
  resource_type: "aws_iam_policy",
  provider_name: AWS,
  path_pattern: "policy",
  confidence: 0.98,
  sample: { before: '{"Action":["sqs:*"]}', after: '{"Action":"sqs:*"}' },
};

const ANALYSIS = {
  warnings: [],
  risk_profile: "standard",
  risk_level: "critical",
  risk_counts: { critical: 1, high: 0, medium: 0, low: 0 },
  summary: { create: 0, update: 1, replace: 0, delete: 1, import: 0, forget: 0, read: 0, no_op: 12 },
  findings: [
    {
      id: "R01:aws_sqs_queue.orders",
      rule: "R01",
      flag: "destroy_stateful",
      risk_level: "critical",
      address: "aws_sqs_queue.orders",
      resource_type: "aws_sqs_queue",
      actions: ["delete"],
      paths: [],
      message: "aws_sqs_queue.orders holds data and is destroyed.",
    },
  ],
  drift: [],
  noise: [
    {
      ...PLAN_NOISE_OF_ONE_PLAN,
      hidden: true,
      addresses: ["aws_iam_policy.orders"],
      count: 1,
      fix_available: true,
    },
  ],
  narrative: {
    text: "One queue is deleted with its messages.\n\n- `R01:aws_sqs_queue.orders`: Unread messages are lost. Check: Drain `aws_sqs_queue.orders` first.",
    source: "platform",
    model: "claude-sonnet-5",
    answer: {
      summary: "One queue is deleted with its messages.",
      findings: [
        {
          id: "R01:aws_sqs_queue.orders",
          explanation: "Unread messages are lost.",
          check: "Drain `aws_sqs_queue.orders` first.",
        },
      ],
    },
  },
  gate: { fail_on: "high", passed: false },
  report_url: `https://leeway.example.com/orgs/${ID.org}/plans/${ID.job}`,
};

export const LISTED_JOB = {
  id: ID.job,
  kind: "analyze",
  status: "done",
  repository: SUBMISSION.repository,
  project: SUBMISSION.project,
  change_request: SUBMISSION.change_request,
  ref: "add-queue",
  commit_sha: "3f786850e387550fdab836ed7e6dc881de23001b",
  author: SUBMISSION.author,
  risk_level: ANALYSIS.risk_level,
  gate_passed: false,
  created_at: AT,
  started_at: AT,
  finished_at: LATER,
  expires_at: "2026-11-06T14:05:12.000Z",
};

export const LLM_JOB = { ...LISTED_JOB, result: ANALYSIS };

export const PLAN_CHANGE = {
  address: "module.shop.aws_db_instance.orders",
  module_address: "module.shop",
  resource_type: "aws_db_instance",
  provider_name: "registry.terraform.io/hashicorp/aws",
  actions: ["update"],
  attribute_count: 1,
};

export const PLAN_NOISE = {
  ...PLAN_NOISE_OF_ONE_PLAN,
  occurrences: 7,
  projects: ["shop/infrastructure:network"],
  first_seen_at: "2026-10-01T09:30:00.000Z",
  last_seen_at: AT,
  status: "active",
};

export const FIX_INPUT = {
  org_id: ID.org,
  source: [
    {
      path: "iam.tf",
      hcl: 'resource "aws_iam_policy" "orders" {\n  policy = file("orders.json")\n}\n',
    },
  ],
  strategy: "auto",
};

export const SETTINGS = {
  risk_profile: "standard",
  comment_min_risk: "low",
  drift_narratives: true,
  comment_decisions: "acknowledge",
};

const WEEK_END = "2026-10-12T00:00:00Z";

/** Denials by gate. */
export const DENIALS = {
  weekly: {
    code: "plan_weekly_quota_exhausted",
    error: "plan_weekly_quota_exhausted",
    message: "this week's quota of 5 platform AI analyses is used up; it resets at 2026-10-12T00:00:00Z",
    required_plan: "team",
    bucket: "weekly",
    used: 5,
    cap: 5,
    week_resets_at: WEEK_END,
    ...BYOK,
  },
  off: {
    code: "plan_hard_off",
    error: "plan_hard_off",
    message: "platform AI analyses are disabled for the plan",
    required_plan: "team",
    bucket: "weekly",
    used: 0,
    cap: 0,
    week_resets_at: WEEK_END,
    ...BYOK,
  },
  hourly: {
    code: "plan_hourly_rate_limit",
    error: "plan_hourly_rate_limit",
    message: "this hour's limit of 20 platform AI analyses is reached; it resets at 2026-10-07T15:00:00Z",
    used: 20,
    cap: 20,
    hour_resets_at: "2026-10-07T15:00:00Z",
    ...BYOK,
  },
  byok: {
    code: "byok_rate_limited",
    error: "byok_rate_limited",
    message:
      "anthropic failed 5 times in a row; the organization's own key can be used again at 2026-10-07T14:06:12.000Z",
    provider: "anthropic",
    retry_at: "2026-10-07T14:06:12.000Z",
    consecutive_failures: 5,
    ...BYOK,
  },
};
