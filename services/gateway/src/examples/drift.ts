import { ID, LATER } from "./common.ts";

/** Examples of drift for the documentation. A test checks each against its schema. */

export const DRIFT_FINGERPRINT = "dc1_4f1c2b7d9a3e48260b5d7c9e1f3a5b7d";

export const DRIFT_CHANGE = {
  id: "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7ea1",
  cloud_account_id: ID.account,
  kind: "changed",
  actions: ["update"],
  address: "aws_lambda_function.orders",
  resource_type: "aws_lambda_function",
  provider_name: "registry.terraform.io/hashicorp/aws",
  provider_resource_id: "arn:aws:lambda:eu-west-1:123456789012:function:orders",
  live_resource_id: ID.resource,
  iac_resource_id: ID.declared,
  attribute_changes: [
    {
      path: ["timeout"],
      before: 30,
      after: 60,
      before_sensitive: false,
      after_sensitive: false,
      unknown: false,
    },
  ],
  risk_level: "low",
  risk_flags: [{ rule: "R23", flag: "update", evidence: [["timeout"]] }],
  fingerprint: DRIFT_FINGERPRINT,
  first_seen_at: "2026-10-07T09:30:00.000Z",
  seen_count: 3,
  disposition: { status: "open" },
  actor: {
    principal: "arn:aws:sts::123456789012:assumed-role/admin/anna@example.com",
    event: "UpdateFunctionConfiguration20150331v2",
    source: "aws_cloudtrail",
    at: "2026-10-07T09:12:00.000Z",
  },
};

export const DRIFT_CHANGE_DETAIL = {
  ...DRIFT_CHANGE,
  source: {
    id: ID.source,
    name: "orders/production",
    repository: { host: "github.com", path: "acme/infra" },
    planned_at: LATER,
    planned: "drift",
  },
  versions: [
    {
      risk_level: "low",
      attribute_changes: DRIFT_CHANGE.attribute_changes,
      from: "2026-10-07T09:30:00.000Z",
    },
  ],
  decisions: [
    {
      status: "acknowledged",
      at: LATER,
      reason: "scaled up for the launch",
      by: { type: "person", id: ID.person },
    },
  ],
};

export const CHANGE_GROUP = {
  key: "aws_lambda_function",
  count: 12,
  risk_level: "low",
  example: DRIFT_CHANGE,
};

const MOVED = { new_count: 3, worse_count: 1, gone_count: 2, risk_level: "high" };

export const DRIFT_MOVEMENT = {
  since: "2026-10-06T09:30:00.000Z",
  new_count: 3,
  worse_count: 1,
  gone_count: 2,
  accounts: [{ key: ID.account, ...MOVED }],
  levels: [{ key: "high", ...MOVED }],
  types: [{ key: "aws_lambda_function", ...MOVED }],
  people: [{ key: "arn:aws:sts::123456789012:assumed-role/admin/anna@example.com", ...MOVED }],
};

export const DRIFT_DECISION = {
  id: "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7ea3",
  status: "acknowledged",
  reason: "known since the migration",
  decided_by: { type: "person", id: ID.person },
  decided_count: 120,
  created_at: LATER,
  undoable_until: "2026-11-06T14:05:12.000Z",
};

export const SETTLEMENT = {
  how: "accept",
  patch:
    '--- a/envs/prod/orders.tf\n+++ b/envs/prod/orders.tf\n@@ -1,3 +1,3 @@\n resource "aws_lambda_function" "orders" {\n-  timeout = 30\n+  timeout = 60\n }\n',
  files: [
    {
      path: "envs/prod/orders.tf",
      content: 'resource "aws_lambda_function" "orders" {\n  timeout = 60\n}\n',
    },
  ],
  explanation: "Sets `timeout` of `aws_lambda_function.orders` to what is live, in `envs/prod/orders.tf`.",
};

export const SETTLEMENTS = {
  settlements: [{ fingerprint: DRIFT_FINGERPRINT, explanation: SETTLEMENT.explanation }],
  change_requests: [
    {
      source_id: ID.source,
      status: "created",
      branch: "leeway/settle-2026-10-07",
      number: 12,
      url: "https://gitlab.com/acme/network/-/merge_requests/12",
    },
  ],
};

export const REQUESTED_SETTLEMENT = {
  settlement: {
    how: "accept",
    source_id: ID.source,
    decided_by: { type: "person", id: ID.person },
    decided_at: LATER,
    change_request: {
      status: "unchanged",
      branch: "leeway/settle-2026-10-07",
      number: 12,
      url: "https://gitlab.com/acme/network/-/merge_requests/12",
    },
  },
};

const COMMIT = "9f8e7d6c5b4a39281706f5e4d3c2b1a098765432";

export const DECLARATION = {
  commit: COMMIT,
  ref: "main",
  path: "envs/prod/orders.tf",
  line: 1,
  end_line: 3,
  url: `https://github.com/acme/infra/blob/${COMMIT}/envs/prod/orders.tf#L1-L3`,
};

export const CHANGING_PLAN = {
  job_id: "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7ea4",
  actions: ["update"],
  risk_level: "low",
  repository: "acme/infra",
  project: { name: "orders/production" },
  change_request: { number: 42, url: "https://github.com/acme/infra/pull/42" },
  ref: "longer-timeout",
  commit_sha: COMMIT,
  planned_at: LATER,
};

export const DRIFT_DIFF = {
  base: "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7ea2",
  snapshot: ID.snapshot,
  new: [DRIFT_CHANGE],
  new_count: 1,
  resolved: [],
  resolved_count: 0,
  persisting_count: 4,
};

const COUNTS = {
  live_count: 120,
  matched_count: 115,
  undeclared_count: 5,
  unchecked_count: 0,
  excluded_count: 2,
  missing_count: 1,
};
const RISK = {
  risk_level: "medium",
  risk_counts: { critical: 0, high: 0, medium: 2, low: 3 },
  undeclared_risk_level: "high",
  undeclared_risk_counts: { critical: 0, high: 1, medium: 0, low: 4 },
};

export const POSTURE_ROW = {
  cloud_account_id: ID.account,
  name: "production",
  provider: "aws",
  external_id: "123456789012",
  coverage_pct: 95.83,
  coverage_reliable: true,
  ...RISK,
  changed_count: 4,
  ...COUNTS,
  unobserved_count: 3,
  drift_status: "ready",
  drift_snapshot_id: ID.snapshot,
  last_scan_at: LATER,
  last_drift_at: LATER,
  latest_scan: { id: ID.scan, status: "succeeded", at: LATER },
};
export const TREND_POINT = {
  cloud_account_id: ID.account,
  date: "2026-10-07",
  drift_snapshot_id: ID.snapshot,
  coverage_pct: 95.83,
  coverage_reliable: true,
  ...RISK,
  changed_count: 4,
  ...COUNTS,
};
export const DRIFT_SNAPSHOT = {
  id: ID.snapshot,
  cloud_account_id: ID.account,
  scan_id: ID.scan,
  status: "ready",
  ...COUNTS,
  changed_count: 4,
  coverage_pct: 95.83,
  coverage_reliable: true,
  ...RISK,
  created_at: LATER,
};
