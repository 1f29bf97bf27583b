import { expect, test } from "bun:test";

import type { Json, JsonObject } from "@leeway/shared/json";
import { maskPlan } from "@leeway/shared/plan/mask-plan";

import { analyzePlan } from "../analyze.ts";

const analyzed = (members: JsonObject) =>
  analyzePlan(maskPlan({ format_version: "1.2", ...members }), { profile: "baseline" });
const queue = (actions: Json) => ({ address: "aws_sqs_queue.q", type: "aws_sqs_queue", change: { actions } });

test.each<[string, Json, string[]]>([
  ["an object", { a: 1 }, ["resource_changes is no list"]],
  ["a text", "none", ["resource_changes is no list"]],
  ["nothing", null, []],
  ["an empty list", [], []],
  ["null in it", [null], ["what has no actions is left out: resource_changes[0]"]],
  [
    "several of no form",
    [queue(["no-op"]), "x", 1, [], {}, { change: 7 }, queue([7]), queue([])],
    ["what has no actions is left out: resource_changes[1] and 6 more"],
  ],
])("a plan with %s for its changes says what can't be read of it", (_name, resource_changes, warnings) => {
  expect(analyzed({ resource_changes }).warnings).toEqual(warnings);
});

test.each([
  ["${a}", 'aws_sqs_queue.q["$${a}"]'],
  [0, "aws_sqs_queue.q[0]"],
])("a change without an address has the one that Terraform would write for the key %j", (index, address) => {
  const change = { type: "aws_sqs_queue", name: "q", index, change: { actions: ["delete"] } };
  expect(analyzed({ resource_changes: [change] }).findings.map((finding) => finding.address)).toContain(
    address,
  );
});

test("drift that can't be read is a warning too", () => {
  expect(analyzed({ resource_drift: 7 }).warnings).toEqual(["resource_drift is no list"]);
});

test("a plan that defers changes, or is aimed at some resources, says that it isn't all", () => {
  const warning = "the plan isn't complete: what it defers, or wasn't aimed at, isn't judged";
  expect(analyzed({ complete: false }).warnings).toEqual([warning]);
  expect(analyzed({ complete: true }).warnings).toEqual([]);
  expect(analyzed({ complete: false, errored: true }).warnings).toEqual([
    "the plan ended with an error: what it says isn't all",
  ]);
});

const check = (to_display: string, status: string) => ({ address: { kind: "check", to_display }, status });

test("a plan whose checks fail says which", () => {
  const checks = [check("check.pass", "pass"), check("check.health", "fail"), check("check.dns", "error")];
  expect(analyzed({ checks: checks.slice(0, 1) }).warnings).toEqual([]);
  expect(analyzed({ checks: checks.slice(0, 2) }).warnings).toEqual(["checks fail: check.health"]);
  expect(analyzed({ checks }).warnings).toEqual(["checks fail: check.health and 1 more"]);
  expect(analyzed({ checks: [{ status: "fail" }] }).warnings).toEqual(["checks fail: one without a name"]);
});

test("a plan that invokes actions says which, and that they aren't judged", () => {
  const action_invocations = ["action.aws_ec2_stop_instance.web", "action.aws_lambda_invoke.warm"].map(
    (address) => ({ address, config_values: { payload: "hunter2" }, invoke_action_trigger: {} }),
  );
  const said = "the plan invokes actions, which no rule judges: action.aws_ec2_stop_instance.web";
  expect(analyzed({ action_invocations: [] }).warnings).toEqual([]);
  expect(analyzed({ action_invocations: action_invocations.slice(0, 1) }).warnings).toEqual([said]);
  expect(analyzed({ action_invocations }).warnings).toEqual([`${said} and 1 more`]);
});

test("an action that nobody knows is a warning, and counts as an update wherever a plan is counted", () => {
  const { warnings, summary, findings } = analyzed({
    resource_changes: [queue(["no-op"]), queue(["obliterate"])],
  });
  expect(warnings).toEqual(["unknown actions count as updates: resource_changes[1]"]);
  expect(summary).toMatchObject({ update: 1, no_op: 1 });
  expect(findings).toMatchObject([{ rule: "R23", risk_level: "low" }]);
});
