import { describe, expect, test } from "bun:test";

import { analyzePlan } from "@leeway/analysis/analyze";
import { member, members, text, type JsonObject } from "@leeway/shared/values/json";
import { maskInParts, type Pruned } from "@leeway/analysis/plan/mask-plan";
import { change, planOf } from "@leeway/analysis/plan/plan.fixture";

import { Failure } from "../failure.ts";
import { fitPlan, STEPS } from "./fit-plan.ts";

interface Fitted {
  plan: JsonObject;
  bytes: number;
  pruned: readonly Pruned[];
}

function encode(plan: JsonObject): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(plan));
}

function fit(plan: JsonObject, maxBytes: number): Fitted {
  const { body, pruned } = fitPlan(maskInParts(plan), encode, maxBytes);
  return { plan: JSON.parse(new TextDecoder().decode(body)), bytes: body.byteLength, pruned };
}

function rulesOf(plan: JsonObject): string[] {
  const { findings } = analyzePlan(plan, { profile: "standard" });
  return findings.map(({ rule, address }) => `${rule} ${address}`);
}

function publicIp(ipv4_enabled: boolean): JsonObject {
  return { settings: [{ ip_configuration: [{ ipv4_enabled }] }] };
}

const LONG = "long ".repeat(400);
const ATTRIBUTES = { id: "i-1", instance_class: "db.t3", note: "n".repeat(900), comment_text: "same" };
/** One change of each kind, with something to remove in every step. */
const CHANGES = [
  change(["no-op"], { before: ATTRIBUTES, after: ATTRIBUTES }, { address: "a.idle" }),
  change(["read"], { after: ATTRIBUTES }, { address: "a.read", mode: "data" }),
  change(
    ["no-op"],
    { before: ATTRIBUTES, after: ATTRIBUTES },
    { address: "a.moved", previous_address: "a.old" },
  ),
  change(
    ["no-op"],
    { before: ATTRIBUTES, after: ATTRIBUTES, importing: { id: "x" } },
    { address: "a.imported" },
  ),
  change(
    ["update"],
    { before: { ...ATTRIBUTES, body: "a" }, after: { ...ATTRIBUTES, body: "b" } },
    { address: "a.update" },
  ),
  change(["create"], { after: { ...ATTRIBUTES, body: LONG, policy: LONG } }, { address: "a.create" }),
];
const PLAN = planOf(CHANGES);

/** Returns the plan after exactly the first `count` steps. */
function afterSteps(count: number): Fitted {
  let bytes = fit(PLAN, 1e6).bytes;
  for (let step = 0; step < count; step += 1) bytes = fit(PLAN, bytes - 1).bytes;
  return fit(PLAN, bytes);
}

function sentChange(plan: JsonObject, address: string): JsonObject {
  const found = members(plan, "resource_changes").find((each) => each["address"] === address);
  return member(found, "change") ?? {};
}

test("a plan that fits is unchanged and has no pruning note", () => {
  const { plan, pruned } = fit(PLAN, 1e6);
  expect(pruned).toEqual([]);
  expect(plan["leeway_pruned"]).toBeUndefined();
  expect(plan["resource_changes"]).toEqual(CHANGES);
});

describe("a plan that is too large loses, step by step,", () => {
  test("first unchanged and read resources, except moves and imports", () => {
    const { plan, pruned } = afterSteps(1);
    expect(pruned).toEqual([{ step: "unchanged_resources", count: 2 }]);
    expect(plan["leeway_pruned"] as unknown).toEqual(pruned);
    const addresses = members(plan, "resource_changes").map(({ address }) => address);
    expect(addresses).toEqual(["a.moved", "a.imported", "a.update", "a.create"]);
  });

  test("then unchanged attributes, except identifiers and those that risk rules read", () => {
    const { plan, pruned } = afterSteps(2);
    expect(pruned.at(-1)).toEqual({ step: "unchanged_attributes", count: 3 });
    expect(sentChange(plan, "a.update")).toMatchObject({
      before: { id: "i-1", instance_class: "db.t3", body: "a" },
      after: { id: "i-1", instance_class: "db.t3", body: "b" },
    });
    expect(Object.keys(member(sentChange(plan, "a.update"), "after") ?? {})).toEqual([
      "id",
      "instance_class",
      "body",
    ]);
    expect(sentChange(plan, "a.create")["after"]).toMatchObject(ATTRIBUTES);
  });

  test("then the ends of long texts, except policies", () => {
    const { plan, pruned } = afterSteps(3);
    expect(pruned.at(-1)).toEqual({ step: "long_texts", count: 1 });
    expect(sentChange(plan, "a.create")["after"]).toMatchObject({
      policy: LONG,
      body: `${LONG.slice(0, 200)}… (1800 characters omitted)`,
    });
  });

  test("then all attributes that no risk rule reads", () => {
    const { plan, pruned } = afterSteps(4);
    expect(pruned.at(-1)).toEqual({ step: "other_attributes", count: 2 });
    expect(sentChange(plan, "a.create")["after"]).toEqual({
      id: "i-1",
      instance_class: "db.t3",
      policy: LONG,
    });
    expect(sentChange(plan, "a.update")).toMatchObject({ leeway_changed: [["body"]] });
  });

  test("then all attributes", () => {
    const { plan, pruned } = afterSteps(5);
    expect(pruned.at(-1)).toEqual({ step: "values", count: 4 });
    expect(sentChange(plan, "a.update")).toEqual({ actions: ["update"], leeway_changed: [["body"]] });
  });

  test("finally the general parts of the plan", () => {
    const { plan, pruned } = afterSteps(6);
    expect(pruned.map(({ step }) => step)).toEqual(STEPS.map(({ name }) => name));
    expect(Object.keys(plan)).toEqual([
      "format_version",
      "terraform_version",
      "timestamp",
      "errored",
      "resource_changes",
      "leeway_pruned",
    ]);
  });

  test("and is refused if it is still too large", () => {
    const { bytes } = afterSteps(6);
    expect(() => fit(PLAN, bytes - 1)).toThrow(Failure);
    expect(() => fit(PLAN, bytes - 1)).toThrow(
      /4 resource changes take [\d,]+ bytes even without attributes/,
    );
  });
});

test("rules have the same findings in a pruned plan", () => {
  const open = { access: [{ role: "READER", iam_member: "allUsers" }] };
  const sides: [string, JsonObject, JsonObject][] = [
    ["google_bigquery_dataset", { access: [] }, open],
    ["google_sql_database_instance", publicIp(false), publicIp(true)],
    ["google_storage_bucket_acl", {}, { role_entity: ["READER:allUsers"] }],
    ["aws_s3_bucket", { grant: [] }, { grant: [{ uri: "http://acs.amazonaws.com/groups/global/AllUsers" }] }],
    ["azurerm_linux_web_app", { https_only: true }, { https_only: false }],
    [
      "google_compute_firewall",
      { allow: [] },
      { allow: [{ protocol: "all" }], source_ranges: ["0.0.0.0/0"] },
    ],
  ];
  const changes = sides.map(([type, before, after]) =>
    change(["update"], { before, after: { ...after, other: LONG } }, { address: `${type}.a`, type }),
  );
  const whole = planOf(changes);
  const { plan, pruned } = fit(whole, fit(whole, 1e6).bytes - 11_000);
  expect(pruned.at(-1)?.step).toBe("other_attributes");
  expect(rulesOf(plan)).toEqual(expect.arrayContaining(rulesOf(whole)));
});

test("a step that removes nothing isn't listed", () => {
  const plan = planOf([change(["create"], { after: { id: "x", body: LONG } })]);
  expect(fit(plan, 1000).pruned).toEqual([{ step: "long_texts", count: 1 }]);
});

test("an attribute known only after apply counts as changed", () => {
  const before = { note: "n".repeat(2000), etag: "x" };
  const update = change(["update"], { before, after: { note: before.note }, after_unknown: { etag: true } });
  expect(sentChange(fit(planOf([update]), 1200).plan, "aws_db_instance.main")).toMatchObject({
    before: { etag: "x" },
    after: {},
    after_unknown: { etag: true },
  });
});

test("a text is never cut inside a character", () => {
  const plan = planOf([change(["create"], { after: { body: "x" + "😀".repeat(1000) } })]);
  const after = member(sentChange(fit(plan, 1500).plan, "aws_db_instance.main"), "after");
  expect(text(after, "body")?.isWellFormed()).toBe(true);
});

test("a masked change is named even if its attribute is left out", () => {
  const before = { note: "n".repeat(3000), user_password: "old" };
  const update = change(["update"], { before, after: { ...before, user_password: "new" } });
  const { plan, pruned } = fit(planOf([update]), 1200);
  expect(pruned).toEqual([{ step: "unchanged_attributes", count: 1 }]);
  expect(sentChange(plan, "aws_db_instance.main")["leeway_changed"]).toEqual([["user_password"]]);
});

test("a plan of 30 MB fits into 5 MB with all its changes", () => {
  const attributes = Object.fromEntries(
    Array.from({ length: 30 }, (_, index) => [`note_${index}`, "x".repeat(25)]),
  );
  const changes = Array.from({ length: 12_000 }, (_, index) => {
    const before = { ...attributes, id: `i-${index}` };
    const after = { ...before, note_1: "changed" };
    return change([["no-op"], ["update"], ["delete"]][index % 3] ?? [], { before, after }, { index });
  });
  const plan = planOf(changes);
  expect(JSON.stringify(plan).length).toBeGreaterThan(30_000_000);
  const fitted = fit(plan, 5_000_000);
  expect(fitted.bytes).toBeLessThanOrEqual(5_000_000);
  expect(fitted.plan["resource_changes"]).toHaveLength(8000);
});
