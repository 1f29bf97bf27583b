import { expect, test } from "bun:test";

import type { Analysis, Finding, NoiseGroup } from "@leeway/shared/contracts/analyzer/analysis";
import type { ActiveRule } from "@leeway/shared/contracts/inventory/rules";

import { withRules } from "./plan-rules.ts";

function finding(address: string, risk_level: Finding["risk_level"], rule = "R09"): Finding {
  const [resource_type = ""] = address.split(".");
  return {
    id: `${rule}:${address}`,
    rule,
    flag: "network_open",
    risk_level,
    address,
    resource_type,
    actions: ["update"],
    paths: [["ingress", 0, "cidr_blocks"]],
    message: "",
  };
}

const NOISE: NoiseGroup = {
  fingerprint: "pn1_abcdefghijklmnopqrstuvwxyz",
  class: "set_order",
  title: "",
  resource_type: "aws_s3_bucket",
  provider_name: "registry.terraform.io/hashicorp/aws",
  path_pattern: "tags.*",
  confidence: 1,
  hidden: true,
  addresses: ["aws_s3_bucket.dev", "aws_s3_bucket.prod"],
  count: 2,
  fix_available: false,
  sample: { before: 1, after: 2 },
};

const ANALYSIS: Analysis = {
  warnings: [],
  risk_level: "high",
  risk_counts: { critical: 0, high: 1, medium: 0, low: 1 },
  summary: { create: 0, update: 2, replace: 0, delete: 0, import: 0, forget: 0, read: 0, no_op: 0 },
  findings: [finding("aws_security_group.dev", "high"), finding("aws_s3_bucket.prod", "low", "R23")],
  drift: [],
  noise: [NOISE],
};

const planned = (address: string, env: string, module_address?: string) => ({
  address,
  name: address.split(".").at(-1) ?? "",
  provider_name: "registry.terraform.io/hashicorp/aws",
  ...(module_address !== undefined && { module_address }),
  change: { before: { tags: { env: "old" } }, after: { tags: { env }, region: "eu-west-1" } },
});
const PLAN = {
  resource_changes: [
    planned("aws_security_group.dev", "dev"),
    planned("aws_s3_bucket.prod", "prod", "module.shop"),
    planned("aws_s3_bucket.dev", "dev"),
  ],
};

function ruled(...rules: Omit<ActiveRule, "id">[]): Analysis {
  return withRules(ANALYSIS, PLAN, {
    rules: rules.map((rule) => ({ id: rule.name, ...rule })),
    source: "acme/shop",
  });
}

const DEV = 'resource.tags["env"] == "dev"';

test("a hidden finding leaves the plan's risk, and is kept with the rule's name", () => {
  const result = ruled({ name: "Dev", on: ["finding"], when: DEV, effect: { ignore: true } });
  expect(result).toMatchObject({
    risk_level: "low",
    risk_counts: { critical: 0, high: 0, medium: 0, low: 1 },
    findings: [{ address: "aws_s3_bucket.prod" }],
    hidden_findings: [{ address: "aws_security_group.dev", hidden_by: { id: "Dev", name: "Dev" } }],
  });
  const { findings, hidden_findings = [] } = result;
  expect(findings.length + hidden_findings.length).toBe(ANALYSIS.findings.length);
});

test("a raised finding raises the plan's risk, comes first, and says what it was", () => {
  const when = 'declared.module == "module.shop" && declared.source == "acme/shop" && "R23" in change.rules';
  const result = ruled({ name: "Shop", on: ["finding"], when, effect: { raise_to: "critical" } });
  expect(result.risk_level).toBe("critical");
  expect(result.findings[0]).toMatchObject({
    address: "aws_s3_bucket.prod",
    risk_level: "critical",
    raised: { from: "low", by: { name: "Shop" } },
  });
});

test("a rule never lowers a finding", () => {
  const result = ruled({ name: "a", on: ["finding"], when: "true", effect: { raise_to: "low" } });
  expect(result.findings).toEqual(ANALYSIS.findings);
});

test("a labeled finding has the label", () => {
  const when =
    'resource.provider == "aws" && resource.region == "eu-west-1" && "ingress.0.cidr_blocks" in paths';
  const result = ruled({ name: "a", on: ["finding"], when, effect: { label: "aws" } });
  expect(result.findings.map(({ labels }) => labels)).toEqual([["aws"], ["aws"]]);
});

test("noise is hidden only if a rule hides all of it", () => {
  const some = ruled({ name: "a", on: ["noise"], when: DEV, effect: { ignore: true } });
  expect(some.noise).toEqual([NOISE]);
  const all = ruled({
    name: "b",
    on: ["noise"],
    when: '"set_order" in change.flags && "tags.*" in paths',
    effect: { ignore: true },
  });
  expect(all.noise).toEqual([{ ...NOISE, hidden_by: { id: "b", name: "b" }, muted: true }]);
});

test("rules about drift don't touch a plan", () => {
  const result = ruled({ name: "a", on: ["changed"], when: "true", effect: { ignore: true } });
  expect(result).toEqual(ANALYSIS);
});
