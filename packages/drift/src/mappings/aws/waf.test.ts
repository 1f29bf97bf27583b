import { describe, expect, test } from "bun:test";

import type { JsonObject } from "@leeway/shared/values/json";

import { compareResource } from "../../compare-resource.ts";
import type { Part } from "../../mapping.ts";

/** Returns a rule as the provider writes it, with empty blocks for the other actions. */
const rule = (name: string, priority: number, more: JsonObject): JsonObject => ({
  name,
  priority,
  action: [],
  override_action: [],
  rule_label: [],
  visibility_config: [
    { cloudwatch_metrics_enabled: true, metric_name: name, sampled_requests_enabled: true },
  ],
  ...more,
});
const blocks = (chosen: string, names: string) =>
  Object.fromEntries(names.split(" ").map((name) => [name, name === chosen ? [{}] : []]));
const BLOCKED = {
  action: [{ ...blocks("", "allow captcha challenge count"), block: [{ custom_response: [] }] }],
  statement: [
    {
      and_statement: [],
      rate_based_statement: [
        { limit: 1000, aggregate_key_type: "IP", evaluation_window_sec: 300, scope_down_statement: [] },
      ],
    },
  ],
};
const MANAGED = {
  override_action: [blocks("none", "count none")],
  statement: [
    {
      managed_rule_group_statement: [
        { name: "AWSManagedRulesCommonRuleSet", vendor_name: "AWS", version: "", rule_action_override: [] },
      ],
    },
  ],
};
const DECLARED = {
  description: "the shop",
  default_action: [{ allow: [{ custom_request_handling: [] }], block: [] }],
  rule: [rule("flood", 1, BLOCKED), rule("common", 0, MANAGED)],
  visibility_config: [
    { cloudwatch_metrics_enabled: true, metric_name: "shop", sampled_requests_enabled: false },
  ],
};

const visibility = (MetricName: string) => ({
  CloudWatchMetricsEnabled: true,
  MetricName,
  SampledRequestsEnabled: true,
});
const COMMON = {
  Name: "common",
  Priority: 0,
  OverrideAction: { None: {} },
  Statement: { ManagedRuleGroupStatement: { VendorName: "AWS", Name: "AWSManagedRulesCommonRuleSet" } },
  VisibilityConfig: visibility("common"),
};
const FLOOD = {
  Name: "flood",
  Priority: 1,
  Action: { Block: {} },
  Statement: { RateBasedStatement: { Limit: 1000, AggregateKeyType: "IP", EvaluationWindowSec: 300 } },
  VisibilityConfig: visibility("flood"),
};
const LIVE = {
  Description: "the shop",
  DefaultAction: { Allow: {} },
  Rules: [COMMON, FLOOD],
  VisibilityConfig: { ...visibility("shop"), SampledRequestsEnabled: false },
};

const changes = (more: JsonObject, declared: JsonObject = {}, parts: Part[] = []) =>
  compareResource({
    type: "aws_wafv2_web_acl",
    address: "x",
    declared: { ...DECLARED, ...declared },
    live: { properties: { ...LIVE, ...more }, parts },
  }).changes.map(({ path, after }) => [path.join("."), after]);

const other = (Name: string) => ({
  Rules: [COMMON, FLOOD, { Name, Priority: 9, Action: { Allow: {} } }],
});

describe("a web ACL", () => {
  test("is unchanged in Cloud Control's format and in any order", () => {
    expect(changes({})).toEqual([]);
  });

  test("has drifted when its default action changed", () => {
    expect(changes({ DefaultAction: { Block: {} } })).toEqual([
      ["default_action.0.allow.0", null],
      ["default_action.0.block.0", {}],
    ]);
  });

  test("has drifted when a rule only counts or has a higher limit", () => {
    const counting = { ...COMMON, OverrideAction: { Count: {} } };
    const {
      Statement: { RateBasedStatement },
    } = FLOOD;
    const flood = {
      ...FLOOD,
      Statement: { RateBasedStatement: { ...RateBasedStatement, Limit: 1_000_000 } },
    };
    expect(changes({ Rules: [counting, flood] })).toEqual([
      ["rule.0.statement.0.rate_based_statement.0.limit", 1_000_000],
      ["rule.1.override_action.0.count.0", {}],
      ["rule.1.override_action.0.none.0", null],
    ]);
  });

  test("has drifted when a rule was removed", () => {
    expect(changes({ Rules: [COMMON] })).toEqual([["rule.0", null]]);
  });

  test("has drifted when a rule was added", () => {
    const open = { Name: "open", Priority: 9, Action: { Allow: {} }, Statement: {} };
    expect(changes({ Rules: [COMMON, FLOOD, open] })).toEqual([
      ["rule.2", expect.objectContaining({ name: "open", priority: 9, action: [{ allow: [{}] }] })],
    ]);
  });

  test("ignores rules of Shield, of separate resources and of a JSON declaration", () => {
    expect(changes(other("ShieldMitigationRuleGroup_1_a_b"))).toEqual([]);
    const part = { type: "aws_wafv2_web_acl_rule_group_association", attributes: { rule_name: "team" } };
    expect(changes(other("team"), {}, [part])).toEqual([]);
    expect(changes(other("team"), { rule: [], rule_json: "[]" })).toEqual([]);
  });
});

test("addresses of an IP set are compared", () => {
  const declared = { addresses: ["192.0.2.0/24"] };
  const live = { properties: { Addresses: ["192.0.2.0/24", "198.51.100.7/32"] } };
  const { changes: found } = compareResource({ type: "aws_wafv2_ip_set", address: "x", declared, live });
  expect(found.map(({ path, after }) => [path.join("."), after])).toEqual([
    ["addresses", ["192.0.2.0/24", "198.51.100.7/32"]],
  ]);
});
