import { describe, expect, test } from "bun:test";

import type { JsonObject } from "@leeway/shared/values/json";
import { maskPlan } from "./plan/mask-plan.ts";

import { analyzePlan } from "./analyze.ts";
import { planInWords } from "./narrative/words.ts";

const resource = (address: string, change: JsonObject): JsonObject => {
  const [type = "", name = ""] = address.split(".");
  return { address, mode: "managed", type, name, change };
};
const updated = (address: string, before: JsonObject, after: JsonObject): JsonObject =>
  resource(address, { actions: ["update"], before, after });

const analyze = (plan: JsonObject) =>
  analyzePlan(maskPlan({ format_version: "1.2", ...plan }), { profile: "standard" });

const DATABASE = { identifier: "a", tags: null, publicly_accessible: false };

describe("drift", () => {
  test("is sorted by risk, highest first", () => {
    const { drift } = analyze({
      resource_drift: [
        updated("aws_sqs_queue.a", { delay_seconds: 1 }, { delay_seconds: 2 }),
        resource("aws_db_instance.a", { actions: ["delete"], before: DATABASE, after: null }),
      ],
    });
    expect(drift.map((one) => one.risk_level)).toEqual(["critical", "low"]);
  });

  test("is relevant if the plan reverts it or another resource refers to it", () => {
    const queue = { delay_seconds: 1, name: "a" };
    const late = { ...queue, delay_seconds: 2 };
    const gone = (address: string) => resource(address, { actions: ["delete"], before: queue, after: null });
    const { drift } = analyze({
      resource_drift: [
        updated("aws_sqs_queue.put_right", queue, late),
        updated("aws_sqs_queue.otherwise", queue, late),
        updated("aws_sqs_queue.left", queue, late),
        updated("aws_sqs_queue.referred_to", queue, late),
        gone("aws_sqs_queue.created_anew"),
        gone("aws_sqs_queue.gone_for_good"),
      ],
      resource_changes: [
        updated("aws_sqs_queue.put_right", late, queue),
        updated("aws_sqs_queue.otherwise", late, { ...late, name: "b" }),
        resource("aws_sqs_queue.left", { actions: ["no-op"], before: late, after: late }),
        resource("aws_sqs_queue.created_anew", { actions: ["create"], before: null, after: queue }),
      ],
      relevant_attributes: [{ resource: "aws_sqs_queue.referred_to", attribute: ["delay_seconds"] }],
    });
    const relevant = drift.filter((one) => one.relevant).map(({ address }) => address.split(".")[1]);
    expect(new Set(relevant)).toEqual(new Set(["created_anew", "put_right", "referred_to"]));
  });

  test("doesn't include moved resources in a refresh-only plan", () => {
    const queue = { delay_seconds: 1 };
    const moved = resource("aws_sqs_queue.new", { actions: ["no-op"], before: queue, after: queue });
    const { drift } = analyze({ resource_drift: [{ ...moved, previous_address: "aws_sqs_queue.old" }] });
    expect(drift).toEqual([]);
  });

  test("of one level is sorted naturally by address", () => {
    const queue = { delay_seconds: 1 };
    const drifted = ["aws_sqs_queue.q[10]", "aws_sqs_queue.q[2]"].map((address) =>
      updated(address, queue, { delay_seconds: 2 }),
    );
    const { drift } = analyze({ resource_drift: drifted });
    expect(drift.map(({ address }) => address)).toEqual(["aws_sqs_queue.q[2]", "aws_sqs_queue.q[10]"]);
  });

  test("is noise if all of its differences are", () => {
    const { drift } = analyze({
      resource_drift: [updated("aws_db_instance.a", DATABASE, { ...DATABASE, tags: {} })],
    });
    expect(drift).toMatchObject([{ risk_level: "none", noise: { class: "number_string_bool" } }]);
  });

  test("isn't noise if it includes a dangerous change", () => {
    const after = { ...DATABASE, tags: {}, publicly_accessible: true };
    const { drift } = analyze({ resource_drift: [updated("aws_db_instance.a", DATABASE, after)] });
    expect(drift).toMatchObject([{ risk_level: "critical", risk_flags: [{ rule: "R10" }] }]);
    expect(drift[0]).not.toHaveProperty("noise");
  });

  test("isn't noise with low confidence and stays in the findings", () => {
    const rule = { protocol: "tcp", from_port: 22, to_port: 22 };
    const open = { ...rule, cidr_blocks: ["0.0.0.0/0"] };
    const group = { id: "sg-a", ingress: [] };
    const { drift, noise } = analyze({
      resource_changes: [
        resource("aws_security_group_rule.https", {
          actions: ["create"],
          before: null,
          after: { ...rule, type: "ingress", security_group_id: "sg-a", cidr_blocks: ["10.0.0.0/8"] },
        }),
      ],
      resource_drift: [updated("aws_security_group.a", group, { ...group, ingress: [open] })],
    });
    expect(noise).toMatchObject([{ class: "inline_vs_standalone", hidden: false }]);
    expect(drift).toMatchObject([{ risk_level: "critical" }]);
    expect(drift[0]).not.toHaveProperty("noise");
  });
});

test.each([[["forget", "create"]], [["ForgetThenCreate"]]])(
  "a resource that is forgotten and created again counts as both: %j",
  (actions) => {
    const change = { actions, before: { name: "a" }, after: { name: "b" } };
    const { summary, warnings } = analyze({ resource_changes: [resource("x_y.z", change)] });
    expect(summary).toMatchObject({ create: 1, forget: 1, replace: 0, update: 0 });
    expect(warnings).toEqual([]);
  },
);

test("a resource with a new address counts as moved", () => {
  const queue = { delay_seconds: 1 };
  const stays = resource("aws_sqs_queue.new", { actions: ["no-op"], before: queue, after: queue });
  const moved = { ...stays, previous_address: "aws_sqs_queue.old" };
  const analysis = analyze({ resource_changes: [moved, stays] });
  expect(analysis).toMatchObject({ summary: { move: 1, no_op: 2, update: 0 }, findings: [] });
  expect(planInWords(analysis)).toBe("1 to move");
  expect(analyze({ resource_changes: [stays] }).summary).not.toHaveProperty("move");
});

test("an ephemeral resource of OpenTofu isn't a change", () => {
  const opened = { actions: ["open"], before: null, after: null, after_unknown: {} };
  const secret = { ...resource("aws_secretsmanager_secret_version.db", opened), mode: "ephemeral" };
  const { summary, findings, warnings } = analyze({ resource_changes: [secret] });
  expect(summary).toMatchObject({ read: 1, update: 0 });
  expect(findings).toEqual([]);
  expect(warnings).toEqual([]);
});
