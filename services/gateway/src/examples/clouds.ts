import { ID, LIVE_RESOURCE } from "./common.ts";

const AT = "2026-10-07T14:05:12.000Z";

export const ENRICHED_RESOURCE = {
  ...LIVE_RESOURCE,
  enrichment_status: "enriched",
  enriched_at: AT,
  properties: { QueueName: "orders", VisibilityTimeout: 30, Tags: [{ Key: "token", Value: "[redacted]" }] },
  redactions: ["/Tags/0/Value"],
};

export const VERIFICATION = {
  status: "failing",
  identity: "arn:aws:sts::123456789012:assumed-role/leeway/leeway",
  checks: [
    { name: "sts", ok: true },
    {
      name: "tagging",
      ok: false,
      missing: ["tag:GetResources"],
      message: "tag:GetResources isn't allowed in us-east-1",
    },
  ],
  missing_permissions: ["tag:GetResources"],
  verified_at: AT,
};

export const ACCESS_POLICY = {
  provider: "aws",
  identity: `leeway:org:${ID.org}`,
  documents: [
    {
      name: "trust-policy",
      content: {
        Version: "2012-10-17",
        Statement: [
          {
            Effect: "Allow",
            Principal: { AWS: "arn:aws:iam::111122223333:role/leeway" },
            Action: "sts:AssumeRole",
            Condition: { StringEquals: { "sts:ExternalId": `leeway:org:${ID.org}` } },
          },
        ],
      },
    },
  ],
  commands: [
    "aws iam attach-role-policy --role-name leeway --policy-arn arn:aws:iam::aws:policy/SecurityAudit",
  ],
  credentials: { kind: "aws_role", role_arn: "arn:aws:iam::123456789012:role/leeway" },
};

export const IDENTITY_KEYS = {
  keys: [
    {
      kty: "RSA",
      use: "sig",
      alg: "RS256",
      kid: "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e9e",
      n: "u1SU1LfVLPHCozMxH2Mo…",
      e: "AQAB",
    },
  ],
};

export const RESOURCE_TYPE = {
  type: "aws_sqs_queue",
  provider: "aws",
  declared_count: 12,
  live_count: 14,
  undeclared_count: 3,
  settable_count: 17,
  compared_count: 16,
  compared_pct: 94.1,
};
