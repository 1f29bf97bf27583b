import { LIVE_RESOURCE } from "./examples.ts";

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
