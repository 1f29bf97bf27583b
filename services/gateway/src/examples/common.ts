/** Examples for the documentation. A test checks each against its schema. */

export const ID = {
  org: "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e90",
  person: "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e91",
  member: "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e92",
  key: "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e93",
  account: "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e94",
  source: "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e95",
  scan: "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e96",
  snapshot: "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e97",
  resource: "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e98",
  declared: "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e99",
  audit: "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e9a",
  config: "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e9b",
  delivery: "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e9c",
  job: "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e9d",
} as const;

const AT = "2026-10-07T09:30:00.000Z";
export const LATER = "2026-10-07T14:05:12.000Z";
const KEY_ACTOR = { type: "api_key", id: ID.key };
const PERSON_ACTOR = { type: "person", id: ID.person };

/** Returns a last page with one row. */
export const pageOf = (row: unknown) => ({ data: [row] });

export const ORGANIZATION = { id: ID.org, name: "Example Ltd", created_at: AT, updated_at: AT };
export const OWN_ORGANIZATION = { ...ORGANIZATION, role: "owner" };
export const MEMBER = {
  id: ID.member,
  email: "ada@example.com",
  person_id: ID.person,
  role: "admin",
  status: "active",
  created_at: AT,
  joined_at: LATER,
};
export const INVITATION = {
  id: ID.member,
  email: "ada@example.com",
  role: "admin",
  status: "invited",
  created_at: AT,
};
export const API_KEY = {
  id: ID.key,
  name: "ci",
  role: "member",
  repositories: ["acme/*"],
  prefix: "leeway_4fT9xQ2b",
  created_by: PERSON_ACTOR,
  created_at: AT,
  last_used_at: LATER,
};
export const CI_IDENTITY = {
  id: ID.key,
  issuer: "https://gitlab.com",
  claims: { project_path: "acme/infra", ref: "main" },
  role: "member",
  created_by: PERSON_ACTOR,
  created_at: AT,
  last_used_at: LATER,
};
export const API_KEY_WITH_SECRET = {
  id: ID.key,
  name: "ci",
  role: "member",
  repositories: ["acme/*"],
  prefix: "leeway_4fT9xQ2b",
  created_by: PERSON_ACTOR,
  created_at: AT,
  key: "leeway_4fT9xQ2b_<38 characters>",
};
export const AUDIT_HASH = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

export const AUDIT_ENTRY = {
  id: ID.audit,
  at: LATER,
  actor: { ...PERSON_ACTOR, name: MEMBER.email },
  action: "api_key.create",
  target: { type: "api_key", id: ID.key },
  details: { name: "ci", role: "member" },
  outcome: "done",
  request_id: "0199bd6e-0e1f-7c41-8a5d-6f2f0c9d4b11",
  sequence: 412,
  previous_hash: "60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752",
  hash: AUDIT_HASH,
};

export const CLOUD_ACCOUNT = {
  id: ID.account,
  provider: "aws",
  external_id: "123456789012",
  name: "production",
  regions: [],
  status: "push",
  last_scan_id: ID.scan,
  created_at: AT,
  updated_at: AT,
};
export const IAC_SOURCE = {
  id: ID.source,
  name: "network/prod",
  kind: "terraform",
  cloud_account_id: ID.account,
  repository: { path: "acme/network", host: "gitlab.com" },
  last_serial: 42,
  lineage: "3f8a2b44-6c1f-4f0e-9f0c-0b1d8f7d2a10",
  resource_count: 118,
  matched_count: 115,
  missing_count: 1,
  unobserved_count: 2,
  pushed_at: LATER,
  created_at: AT,
  updated_at: LATER,
};
export const READ_SOURCE = {
  ...IAC_SOURCE,
  backend: { type: "s3", bucket: "example-states", key: "network/prod.tfstate", region: "eu-west-1" },
  read_at: LATER,
};
export const SCAN = {
  id: ID.scan,
  org_id: ID.org,
  account_id: ID.account,
  kind: "full",
  trigger: "push",
  status: "queued",
  phase: "discover",
  created_at: LATER,
  requested_by: KEY_ACTOR,
  stats: {},
  errors: [],
};
export const FINISHED_SCAN = {
  ...SCAN,
  status: "succeeded",
  phase: "drift",
  started_at: LATER,
  finished_at: LATER,
  format: "aws-config",
  drift_snapshot_id: ID.snapshot,
  stats: { seen: 120, created: 3, gone: 1, matched: 115, undeclared: 5, excluded: 2, unchecked: 0 },
};
export const LIVE_RESOURCE = {
  id: ID.resource,
  cloud_account_id: ID.account,
  provider: "aws",
  provider_resource_id: "arn:aws:sqs:eu-central-1:123456789012:orders",
  provider_type: "AWS::SQS::Queue",
  normalized_type: "queue",
  region: "eu-central-1",
  name: "orders",
  iac_resource_id: ID.declared,
  enrichment_status: "none",
  match: { status: "matched", level: "identity", confidence: 1 },
  first_seen_at: AT,
  last_seen_at: LATER,
};
export const LIVE_RESOURCE_DETAIL = {
  ...LIVE_RESOURCE,
  match: {
    ...LIVE_RESOURCE.match,
    key: "arn:aws:sqs:eu-central-1:123456789012:orders",
    tried: [
      {
        key: "arn:aws:sqs:eu-central-1:123456789012:orders",
        level: "identity",
        outcome: "matched",
        explanation: "network/prod declares it as aws_sqs_queue.orders",
      },
    ],
    claimed_by: [ID.declared],
  },
  properties: { QueueName: "orders", VisibilityTimeout: 30 },
  redactions: [],
  tags: { team: "shop" },
  comparison: {
    settable: 17,
    compared: 16,
    not_compared: [{ attribute: "timeouts", reason: "provider_only" }],
  },
};
export const IAC_RESOURCE = {
  id: ID.declared,
  iac_source_id: ID.source,
  address: "aws_sqs_queue.orders",
  type: "aws_sqs_queue",
  provider_name: "registry.terraform.io/hashicorp/aws",
  cloud_account_id: ID.account,
  region: "eu-central-1",
  match: {
    status: "matched",
    live_resource_id: ID.resource,
    key: "arn:aws:sqs:eu-central-1:123456789012:orders",
  },
};

export const EXCLUSION_RULE = {
  id: "aws-service-linked-roles",
  provider: "aws",
  title: "Service-linked roles, which only AWS services can change",
  enabled: true,
  excluded_count: 2,
};
export const PLAN_SETTINGS = {
  plan: "team",
  weekly_platform_llm_quota: -1,
  hourly_platform_llm_limit: 20,
};
export const WEBHOOK_CONFIG = {
  id: ID.config,
  org_id: ID.org,
  source: "planner",
  name: "atlantis",
  secret_prefix: "whsec_1a2b3c4d",
  enabled: true,
  url: `https://leeway.example.com/webhooks/planner/${ID.org}`,
  last_event_at: LATER,
  last_status: "accepted",
  consecutive_rejects: 0,
  created_by: PERSON_ACTOR,
  created_at: AT,
  updated_at: AT,
};
export const WEBHOOK_CONFIG_WITH_SECRET = {
  id: ID.config,
  org_id: ID.org,
  source: "planner",
  name: "atlantis",
  secret_prefix: "whsec_1a2b3c4d",
  enabled: true,
  url: `https://leeway.example.com/webhooks/planner/${ID.org}`,
  consecutive_rejects: 0,
  created_by: PERSON_ACTOR,
  created_at: AT,
  updated_at: AT,
  raw_secret: "whsec_1a2b3c4d<56 more hex digits>",
};
export const DELIVERY = {
  id: ID.delivery,
  config_id: ID.config,
  source: "planner",
  kind: "plan",
  body_sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  size: 48213,
  received_at: LATER,
  outcome: "processed",
  attempts: 1,
  processed_at: LATER,
};
