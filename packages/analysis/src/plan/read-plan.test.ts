import { expect, test } from "bun:test";

import type { Json, JsonObject } from "@leeway/shared/values/json";
import { maskPlan } from "./mask-plan.ts";

import { analyzePlan } from "../analyze.ts";

const analyzed = (members: JsonObject) =>
  analyzePlan(maskPlan({ format_version: "1.2", ...members }), { profile: "lenient" });
const queue = (actions: Json) => ({ address: "aws_sqs_queue.q", type: "aws_sqs_queue", change: { actions } });

test.each<[string, Json, string[]]>([
  ["an object", { a: 1 }, ["resource_changes isn't a list, so it is skipped"]],
  ["a text", "none", ["resource_changes isn't a list, so it is skipped"]],
  ["nothing", null, []],
  ["an empty list", [], []],
  ["a null entry", [null], ["entries without actions are skipped: resource_changes[0]"]],
  [
    "several invalid entries",
    [queue(["no-op"]), "x", 1, [], {}, { change: 7 }, queue([7]), queue([])],
    ["entries without actions are skipped: resource_changes[1] and 6 more"],
  ],
])("a plan with %s as its changes warns about unreadable entries", (_name, resource_changes, warnings) => {
  expect(analyzed({ resource_changes }).warnings).toEqual(warnings);
});

test.each([
  ["${a}", 'aws_sqs_queue.q["$${a}"]'],
  [0, "aws_sqs_queue.q[0]"],
])("a change without an address gets Terraform's address for the key %j", (index, address) => {
  const change = { type: "aws_sqs_queue", name: "q", index, change: { actions: ["delete"] } };
  expect(analyzed({ resource_changes: [change] }).findings.map((finding) => finding.address)).toContain(
    address,
  );
});

test("unreadable drift is a warning too", () => {
  expect(analyzed({ resource_drift: 7 }).warnings).toEqual(["resource_drift isn't a list, so it is skipped"]);
});

test("a plan with deferred or targeted changes is reported as incomplete", () => {
  const warning = "the plan is incomplete: deferred and untargeted resources aren't judged";
  expect(analyzed({ complete: false }).warnings).toEqual([warning]);
  expect(analyzed({ complete: true }).warnings).toEqual([]);
  expect(analyzed({ complete: false, errored: true }).warnings).toEqual([
    "the plan ended with an error; it may make more changes than these",
  ]);
});

const check = (to_display: string, status: string) => ({ address: { kind: "check", to_display }, status });

test("a plan with failed checks names them", () => {
  const checks = [check("check.pass", "pass"), check("check.health", "fail"), check("check.dns", "error")];
  expect(analyzed({ checks: checks.slice(0, 1) }).warnings).toEqual([]);
  expect(analyzed({ checks: checks.slice(0, 2) }).warnings).toEqual(["checks fail: check.health"]);
  expect(analyzed({ checks }).warnings).toEqual(["checks fail: check.health and 1 more"]);
  expect(analyzed({ checks: [{ status: "fail" }] }).warnings).toEqual(["checks fail: an unnamed one"]);
});

test("a plan that invokes actions names them, and that they aren't judged", () => {
  const action_invocations = ["action.aws_ec2_stop_instance.web", "action.aws_lambda_invoke.warm"].map(
    (address) => ({ address, config_values: { payload: "hunter2" }, invoke_action_trigger: {} }),
  );
  const warning = "the plan invokes actions, which no rule judges: action.aws_ec2_stop_instance.web";
  expect(analyzed({ action_invocations: [] }).warnings).toEqual([]);
  expect(analyzed({ action_invocations: action_invocations.slice(0, 1) }).warnings).toEqual([warning]);
  expect(analyzed({ action_invocations }).warnings).toEqual([`${warning} and 1 more`]);
});

test("an unknown action is a warning and counts as an update", () => {
  const { warnings, summary, findings } = analyzed({
    resource_changes: [queue(["no-op"]), queue(["obliterate"])],
  });
  expect(warnings).toEqual(["unknown actions count as updates: resource_changes[1]"]);
  expect(summary).toMatchObject({ update: 1, no_op: 1 });
  expect(findings).toMatchObject([{ rule: "R23", risk_level: "low" }]);
});

// Terraform 1.0 still wrote 0.2.
test.each(["0.1", "0.2"])("a plan of format %s that changes something has a warning", (format_version) => {
  const created = { address: "a.b", type: "a", change: { actions: ["create"], after: {} } };
  const warnings = (resource_changes: Json[]): string[] =>
    analyzePlan(maskPlan({ format_version, resource_changes }), { profile: "standard" }).warnings;
  expect(warnings([created])).toEqual([
    "this plan was made by Terraform 1.0 or older; some details may be missing",
  ]);
  expect(warnings([])).toEqual([]);
});
