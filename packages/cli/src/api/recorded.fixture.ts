import type { AnalyzeResult, FixResult } from "@leeway/shared/contracts/analyzer/analysis";
import type { PlanNoise } from "@leeway/shared/contracts/analyzer/noise";
import type { CloudAccount } from "@leeway/shared/contracts/inventory/accounts";
import type { Scan } from "@leeway/shared/contracts/inventory/scans";
import type { IacSource } from "@leeway/shared/contracts/inventory/sources";

const AT = "2026-10-07T14:03:22Z";
export const FINGERPRINT = "pn1_abcdefghijklmnopqrstuvwxyz";

export const RESULT: AnalyzeResult = {
  warnings: [],
  risk_level: "critical",
  risk_counts: { critical: 1, high: 0, medium: 0, low: 0 },
  summary: { create: 0, update: 0, replace: 0, delete: 1, import: 0, forget: 0, read: 0, no_op: 3 },
  findings: [
    {
      id: "R01:aws_db_instance.main",
      rule: "R01",
      flag: "destroy_stateful",
      risk_level: "critical",
      address: "aws_db_instance.main",
      resource_type: "aws_db_instance",
      actions: ["delete"],
      paths: [],
      message: "Deletes a database with its data.",
    },
  ],
  drift: [],
  noise: [],
  narrative: { text: "One database is deleted.", source: "template" },
  gate: { fail_on: "never", passed: true },
  report_url: "https://leeway.example.com/orgs/o/plans/j",
};

export const FIX: FixResult = {
  strategy: "ignore_changes",
  explanation: "The autoscaler owns desired_count.",
  patches: [
    {
      path: "main.tf",
      diff: [
        "--- a/main.tf",
        "+++ b/main.tf",
        "@@ -1,3 +1,7 @@",
        ' resource "aws_ecs_service" "api" {',
        "   desired_count = 2",
        "+",
        "+  lifecycle {",
        "+    ignore_changes = [desired_count]",
        "+  }",
        " }",
        "",
      ].join("\n"),
    },
  ],
  hcl: "",
  risks: ["Terraform stops correcting changes of desired_count by hand."],
  verified: { parsed: true, formatted: true, replan: "not_run" },
};

export const NOISE: PlanNoise[] = [
  {
    fingerprint: FINGERPRINT,
    class: "autoscaler_owned",
    resource_type: "aws_ecs_service",
    provider_name: "registry.terraform.io/hashicorp/aws",
    path_pattern: "desired_count",
    title: "desired_count is the autoscaler's",
    confidence: 1,
    occurrences: 12,
    projects: ["acme/infra:shop"],
    first_seen_at: AT,
    last_seen_at: AT,
    sample: { before: 2, after: 5 },
    status: "active",
  },
  {
    fingerprint: "pn1_zyxwvutsrqponmlkjihgfedcba",
    class: "set_order",
    resource_type: "aws_instance",
    provider_name: "registry.terraform.io/hashicorp/aws",
    path_pattern: "tags.*",
    title: "Tags in another order",
    confidence: 1,
    occurrences: 1,
    projects: [],
    first_seen_at: AT,
    last_seen_at: AT,
    sample: { before: [], after: [] },
    status: "muted",
  },
];

const source = (id: string, name: string): IacSource => ({
  id,
  name,
  resource_count: 7,
  matched_count: 5,
  missing_count: 1,
  unobserved_count: 1,
  created_at: AT,
  updated_at: AT,
});
export const SOURCES = [
  source("0192e4a0-7c1e-7a33-9d55-000000000001", "network/prod"),
  source("0192e4a0-7c1e-7a33-9d55-000000000002", "shop"),
];

const account = (id: string, external_id: string, provider = "aws"): CloudAccount => ({
  id,
  provider,
  external_id,
  regions: [],
  status: "push",
  created_at: AT,
  updated_at: AT,
});
export const ACCOUNTS = [
  account("0192e4a0-7c1e-7a33-9d55-00000000000a", "111111111111"),
  account("0192e4a0-7c1e-7a33-9d55-00000000000b", "222222222222"),
  account("0192e4a0-7c1e-7a33-9d55-00000000000c", "ABCDEF11-2222-4333-8444-555555555555", "azure"),
  account("0192e4a0-7c1e-7a33-9d55-00000000000d", "Rack", "acme"),
];

export const SCAN: Scan = {
  id: "0192e4a0-7c1e-7a33-9d55-0000000000ff",
  org_id: "0192e4a0-7c1e-7a33-9d55-6f1f0c2b8a10",
  account_id: "0192e4a0-7c1e-7a33-9d55-00000000000b",
  kind: "full",
  trigger: "push",
  status: "succeeded",
  phase: "drift",
  created_at: AT,
  requested_by: { type: "api_key", id: "key" },
  stats: { seen: 3, matched: 2, undeclared: 1 },
  errors: [],
};
