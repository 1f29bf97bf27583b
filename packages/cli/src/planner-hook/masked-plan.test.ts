import { describe, expect, test } from "bun:test";

import { member, members, type JsonObject } from "@leeway/shared/json";
import { REDACTED } from "@leeway/shared/redact";

import { maskPlan, renderPlan } from "./masked-plan.ts";
import { CANARY, change, planOf } from "./plan.fixture.ts";

function sent(plan: JsonObject): JsonObject {
  return renderPlan(maskPlan(plan));
}

function sentChange(actions: string[], sides: JsonObject): JsonObject | undefined {
  const [first] = members(sent(planOf([change(actions, sides)])), "resource_changes");
  return member(first, "change");
}

test("of a plan, what analysis needs is sent, and nothing else", () => {
  expect(sent(planOf([]))).toEqual({
    format_version: "1.2",
    terraform_version: "1.9.0",
    resource_changes: [],
    output_changes: { db_password: { actions: ["create"] } },
    relevant_attributes: [{ resource: "aws_db_instance.main", attribute: ["id"] }],
    checks: [{ address: { kind: "resource", to_display: "aws_db_instance.main" }, status: "pass" }],
  });
});

test("a plan without changes or drift has no lists of them, as Terraform writes it", () => {
  expect(sent({ format_version: "1.2" })).toEqual({ format_version: "1.2" });
});

test("a resource keeps what tells which it is, why it changes and where it comes from", () => {
  const resource = {
    address: "module.a.aws_s3_bucket.b[0]",
    previous_address: "aws_s3_bucket.b[0]",
    module_address: "module.a",
    index: 0,
    deposed: "00000001",
    action_reason: "replace_because_cannot_update",
  };
  const sides = { replace_paths: [["bucket"]], importing: { id: "b" }, after_identity: { bucket: "b" } };
  const whole = change(["delete", "create"], sides, resource);
  expect(sent(planOf([whole]))["resource_changes"]).toEqual([whole]);
});

test("generated configuration and members of formats to come stay", () => {
  const sides = { generated_config: CANARY, after_write_only: CANARY };
  const plan = planOf([change(["create"], sides, { planned_by: CANARY })], { deferred_changes: [CANARY] });
  expect(JSON.stringify(sent(plan))).not.toContain(CANARY);
});

test("drift is masked like changes", () => {
  const drift = change(["update"], {
    before: { note: "x" },
    after: { note: CANARY },
    after_sensitive: { note: true },
  });
  expect(JSON.stringify(sent(planOf([], { resource_drift: [drift] })))).not.toContain(CANARY);
});

test("masks stay whole, also those of attributes with a secret's name", () => {
  const masks = { after_sensitive: { passwords: [true] }, after_unknown: { secret: [{ id: true }] } };
  expect(sentChange(["create"], { after: { passwords: [CANARY] }, ...masks })).toMatchObject(masks);
});

describe("a change that masking hides is named by its path", () => {
  test.each<[string, JsonObject, unknown]>([
    [
      "a password that rotates",
      { before: { password: "old", size: 1 }, after: { password: "new", size: 2 } },
      [["password"]],
    ],
    [
      "a marked value in a block",
      {
        before: { block: [{ note: "old" }] },
        after: { block: [{ note: "new" }] },
        after_sensitive: { block: [{ note: true }] },
      },
      [["block", 0, "note"]],
    ],
    [
      "a block that is marked as a whole",
      { before: { block: [{ a: 1 }] }, after: { block: [{ a: 2 }] }, after_sensitive: { block: true } },
      [["block"]],
    ],
    [
      "a password in a longer text",
      { before: { url: "https://a:one@x" }, after: { url: "https://a:two@x" } },
      [["url"]],
    ],
    ["nothing, when nothing is hidden", { before: { size: 1 }, after: { size: 2 } }, undefined],
    ["nothing, when a password stays", { before: { password: "x" }, after: { password: "x" } }, undefined],
    ["nothing, when a password appears", { before: { password: null }, after: { password: "x" } }, undefined],
    ["nothing, when a resource is created", { before: null, after: { password: "x" } }, undefined],
  ])("%s", (_, sides, paths) => {
    const changed: unknown = sentChange(["update"], sides)?.["leeway_changed"];
    expect(changed).toEqual(paths);
  });
});

test("output changes keep their names, whatever they are called", () => {
  expect(sent(planOf([]))["output_changes"]).not.toBe(REDACTED);
});

test("changes that are no objects are left out", () => {
  const plan = planOf([null, "x", { address: "a.b" }, change(["create"], {})], {
    output_changes: { a: null },
  });
  expect(sent(plan)).toMatchObject({
    resource_changes: [{ address: "a.b", change: {} }, { address: "aws_db_instance.main" }],
    output_changes: { a: {} },
  });
});
