import { describe, expect, test } from "bun:test";
import { join } from "node:path";

import { PlanLine } from "@leeway/shared/contracts/inventory/plans";
import { CORPUS, hasCorpus } from "@leeway/shared/testing/corpus.fixture";
import { decode } from "@leeway/shared/values/decode";
import { isObject, type Json, type JsonObject } from "@leeway/shared/values/json";
import { maskPlan } from "./plan/mask-plan.ts";
import { Glob } from "bun";

import { readPlan } from "./plan/read-plan.ts";
import { planReport } from "./plan-report.ts";

/** Splits a plan's report into pending changes and drift. */
const parts = (lines: readonly PlanLine[] = []) => ({
  pending: lines.flatMap((line) => ("pending" in line ? [line.pending] : [])),
  drift: lines.flatMap((line) => ("drift" in line ? [line.drift] : [])),
});
const OPTIONS = { profile: "lenient" } as const;

const resource = (address: string, change: JsonObject, more: JsonObject = {}): JsonObject => {
  const [type = "", name = ""] = address.split(".");
  return { address, mode: "managed", type, name, change: { before: null, after: null, ...change }, ...more };
};
const update = (address: string, before: JsonObject, after: JsonObject): JsonObject =>
  resource(address, { actions: ["update"], before, after });

const CHANGES = [
  resource("aws_sqs_queue.same", { actions: ["no-op"] }),
  resource("aws_s3_bucket.new", { actions: ["create"], after: { bucket: "new" } }),
  update("aws_sqs_queue.slow", { delay_seconds: 0 }, { delay_seconds: 9 }),
  resource("aws_db_instance.old", { actions: ["delete"], before: { identifier: "old" } }),
  resource("aws_iam_policy_document.read", { actions: ["read"] }, { mode: "data" }),
];

test("planned changes are pending with their level, unlike unchanged and read resources", () => {
  const report = parts(planReport(maskPlan({ format_version: "1.2", resource_changes: CHANGES }), OPTIONS));
  expect(report.drift).toEqual([]);
  expect(report.pending.map(({ address, actions, risk_level }) => [address, ...actions, risk_level])).toEqual(
    [
      ["aws_s3_bucket.new", "create", "low"],
      ["aws_sqs_queue.slow", "update", "low"],
      ["aws_db_instance.old", "delete", "critical"],
    ],
  );
  expect(report.pending[1]?.attribute_changes).toMatchObject([
    { path: ["delay_seconds"], before: 0, after: 9 },
  ]);
});

test("a change that is only noise is hidden, and noise doesn't affect other changes", () => {
  const before = { policy: '{"a":1,"b":2}', delay_seconds: 0 };
  const noise = { policy: '{"b":2,"a":1}' };
  const pendingOf = (after: JsonObject) => {
    const changes = [update("aws_sqs_queue.q", before, { ...before, ...after })];
    return parts(planReport(maskPlan({ format_version: "1.2", resource_changes: changes }), OPTIONS))
      .pending[0];
  };
  expect(pendingOf(noise)).toMatchObject({ hidden: true, risk_level: "none" });
  const [beside, alone] = [pendingOf({ ...noise, delay_seconds: 9 }), pendingOf({ delay_seconds: 9 })];
  expect(beside).toMatchObject({ hidden: false, fingerprint: alone?.fingerprint ?? "" });
  expect(beside).not.toHaveProperty("noise");
});

test("drift includes the resource changes that a refresh found", () => {
  const drift = [
    update("aws_sqs_queue.slow", { delay_seconds: 0 }, { delay_seconds: 9 }),
    resource("aws_sqs_queue.moved", { actions: ["no-op"] }),
    resource("aws_ami.latest", { actions: ["update"], before: {}, after: {} }, { mode: "data" }),
  ];
  const report = parts(planReport(maskPlan({ format_version: "1.2", resource_drift: drift }), OPTIONS));
  expect(report.drift.map((one) => one["address"])).toEqual(["aws_sqs_queue.slow"]);
});

test("a failed, partial or unreadable plan has no report", () => {
  const partials = [{ errored: true }, { complete: false }, { resource_drift: { a: 1 } }];
  for (const partial of [...partials, { resource_changes: [...CHANGES, null] }]) {
    const plan = maskPlan({ format_version: "1.2", resource_changes: CHANGES, ...partial });
    expect(planReport(plan, OPTIONS)).toBeUndefined();
  }
});

const PLANS = join(CORPUS, "terraform-plans");
const files = hasCorpus ? [...new Glob("*/*.json").scanSync(PLANS)] : [];

describe.skipIf(!hasCorpus)("real plans (skipped where there are none: set LEEWAY_CORPUS)", () => {
  test.each(files)("%s is reported in full", async (path) => {
    const text = await Bun.file(join(PLANS, path)).text();
    const json = await new Promise<Json>((resolve) => resolve(JSON.parse(text))).catch(() => null);
    const plan = maskPlan(isObject(json) ? json : {});
    const lines = planReport(plan, OPTIONS);
    if (!lines) return expect(plan["errored"] === true || plan["complete"] === false).toBe(true);
    for (const line of lines) expect(decode(PlanLine, JSON.parse(JSON.stringify(line)))).toEqual(line);
    const report = parts(lines);
    const { changes, drift } = readPlan(plan);
    const acting = changes.filter(
      ({ mode, actions }) => mode === "managed" && !actions.every((action) => /no-op|read/.test(action)),
    );
    expect(report.pending.map(({ address }) => address)).toEqual(acting.map(({ address }) => address));
    expect(report.drift.length).toBeLessThanOrEqual(drift.length);
  });
});
