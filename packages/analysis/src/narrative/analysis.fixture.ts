import type {
  Analysis,
  AnalyzeResult,
  Finding,
  NoiseGroup,
  PlannedDrift,
  RiskLevel,
} from "@leeway/shared/contracts/analyzer/analysis";
import { worstOf } from "@leeway/shared/contracts/analyzer/risk-levels";

import { countsInWords } from "./counts.ts";

export function finding(changes: Partial<Finding> = {}): Finding {
  const { rule = "R01", address = "aws_db_instance.orders" } = changes;
  return {
    id: `${rule}:${address}`,
    rule,
    flag: "destroy_stateful",
    risk_level: "critical",
    address,
    resource_type: "aws_db_instance",
    actions: ["delete", "create"],
    paths: [["storage_encrypted"]],
    message: "aws_db_instance.orders holds data and is replaced",
    ...changes,
  };
}

export function drift(changes: Partial<PlannedDrift> = {}): PlannedDrift {
  return {
    kind: "changed",
    address: "aws_security_group.web",
    resource_type: "aws_security_group",
    provider_name: "registry.terraform.io/hashicorp/aws",
    actions: ["update"],
    attribute_changes: [
      {
        path: ["ingress", 0, "cidr_blocks"],
        before: ["10.0.0.0/8"],
        after: ["0.0.0.0/0"],
        before_sensitive: false,
        after_sensitive: false,
        unknown: false,
      },
    ],
    relevant: true,
    risk_level: "medium",
    risk_flags: [{ rule: "R08", flag: "network_policy_change", evidence: [["ingress"]] }],
    fingerprint: "d1_web",
    ...changes,
  };
}

export function noise(changes: Partial<NoiseGroup> = {}): NoiseGroup {
  return {
    fingerprint: "pn1_abcdefghijklmnopqrstuvwxyz",
    class: "autoscaler_owned",
    title: "A scaler sets desired_count",
    resource_type: "aws_ecs_service",
    provider_name: "registry.terraform.io/hashicorp/aws",
    path_pattern: "desired_count",
    confidence: 0.95,
    hidden: true,
    addresses: ["aws_ecs_service.api"],
    count: 1,
    fix_available: true,
    sample: { before: 4, after: 2 },
    ...changes,
  };
}

/** Builds an analysis with its level and counts computed from its findings. */
export function analysis(changes: Partial<Analysis> = {}): Analysis {
  const { findings = [] } = changes;
  const of = (level: RiskLevel): number => findings.filter((one) => one.risk_level === level).length;
  return {
    warnings: [],
    risk_level: worstOf(findings.map((one) => one.risk_level)),
    risk_counts: { critical: of("critical"), high: of("high"), medium: of("medium"), low: of("low") },
    summary: { create: 0, update: 0, replace: 0, delete: 0, import: 0, forget: 0, read: 0, no_op: 0 },
    findings,
    drift: [],
    noise: [],
    ...changes,
  };
}

export function result(changes: Partial<AnalyzeResult> = {}): AnalyzeResult {
  return {
    ...analysis(changes),
    narrative: { text: `Findings: ${countsInWords(analysis(changes).risk_counts)}`, source: "template" },
    gate: { fail_on: "high", passed: true },
    report_url: "https://leeway.example/orgs/o/plans/1",
    ...changes,
  };
}

/** Analyses of every kind, by what they show. */
export const ANALYSES: Readonly<Record<string, Analysis>> = {
  nothing: analysis(),
  dangerous: analysis({
    warnings: ["the plan ended with an error; it may make more changes than these"],
    summary: { create: 2, update: 3, replace: 1, delete: 1, import: 0, forget: 0, read: 4, no_op: 20 },
    findings: [
      finding({ replace_paths: [["storage_encrypted"]] }),
      finding({
        rule: "R17",
        flag: "destroy_serving",
        risk_level: "high",
        address: 'module.edge["eu"].aws_lb.public',
        resource_type: "aws_lb",
        actions: ["delete"],
        paths: [],
        message: 'module.edge["eu"].aws_lb.public is deleted',
      }),
      finding({
        rule: "R08",
        flag: "network_policy_change",
        risk_level: "medium",
        address: "aws_security_group.web",
        resource_type: "aws_security_group",
        actions: ["update"],
        paths: [["ingress", 0, "cidr_blocks"]],
        message: "rules of aws_security_group.web change at ingress[0].cidr_blocks",
      }),
      finding({
        rule: "R20",
        flag: "create",
        risk_level: "low",
        address: "aws_sqs_queue.jobs[0]",
        resource_type: "aws_sqs_queue",
        actions: ["create"],
        paths: [],
        message: "aws_sqs_queue.jobs[0] is created",
      }),
    ],
    drift: [
      drift(),
      drift({
        kind: "missing",
        address: "aws_s3_bucket.logs",
        risk_level: "critical",
        attribute_changes: [],
        relevant: false,
        fingerprint: "d1_logs",
      }),
    ],
    noise: [
      noise(),
      noise({
        fingerprint: "pn1_zyxwvutsrqponmlkjihgfedcba",
        class: "external_tags",
        resource_type: "aws_instance",
        path_pattern: "tags.*",
        confidence: 0.75,
        hidden: false,
        addresses: ["aws_instance.a", "aws_instance.b"],
        count: 2,
        fix_available: false,
      }),
    ],
  }),
  "only noise": analysis({
    summary: { create: 0, update: 1, replace: 0, delete: 0, import: 0, forget: 0, read: 0, no_op: 3 },
    noise: [noise()],
  }),
  hostile: analysis({
    summary: { create: 0, update: 0, replace: 0, delete: 1, import: 0, forget: 1, read: 0, no_op: 0 },
    warnings: ["--> @admin </details> ![x](https://evil.example/x.png)"],
    findings: [
      finding({
        rule: "R18",
        flag: "destroy",
        risk_level: "medium",
        address: 'null_resource.x["`|` --> </details> @admin #1 \u202E<img src=x>"]',
        resource_type: "null_resource",
        actions: ["delete"],
        paths: [["tags", "](https://evil.example) @admin"]],
        message: 'null_resource.x["`|` --> @admin #1 \u202E<img src=x>"] is deleted, see www.evil.example',
      }),
    ],
  }),
};
