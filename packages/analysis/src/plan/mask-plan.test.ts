import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import { member, members, type Json, type JsonObject } from "@leeway/shared/values/json";
import { REDACTED } from "@leeway/shared/security/redaction/redact";
import { maskPlan } from "./mask-plan.ts";
import { CANARY, change, planOf } from "./plan.fixture.ts";

/** Split, so that secret scanners don't report it. */
const TOKEN = ["ghp", "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1eF3hJ5kL7n"].join("_");

function endless(inner: string): Json {
  return JSON.parse("[".repeat(100_000) + inner + "]".repeat(100_000));
}

function objectOf(names: string, inner: fc.Arbitrary<Json>): fc.Arbitrary<JsonObject> {
  return fc.dictionary(fc.constantFrom(...names.split(" ")), inner);
}

function maskedChange(actions: string[], sides: JsonObject): JsonObject | undefined {
  const [first] = members(maskPlan(planOf([change(actions, sides)])), "resource_changes");
  return member(first, "change");
}

function passwords(value: string): JsonObject {
  return Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`password${index}`, value]));
}

test("a plan keeps only the parts that analysis needs", () => {
  const more = { applyable: true, complete: false };
  expect(maskPlan(planOf([], more))).toEqual({
    format_version: "1.2",
    terraform_version: "1.9.0",
    timestamp: "2026-10-07T14:03:22Z",
    errored: false,
    ...more,
    resource_changes: [],
    output_changes: { db_password: { actions: ["create"] } },
    relevant_attributes: [{ resource: "aws_db_instance.main", attribute: ["id"] }],
    checks: [{ address: { kind: "resource", to_display: "aws_db_instance.main" }, status: "pass" }],
  });
});

test("a plan without changes or drift has no such lists", () => {
  expect(maskPlan({ format_version: "1.2" })).toEqual({ format_version: "1.2" });
});

test("a plan redacted by HCP Terraform gets its version in the usual place", () => {
  expect(maskPlan({ plan_format_version: "1.2" })).toEqual({ format_version: "1.2" });
});

test("a resource keeps its identity, the reason for its change and its import", () => {
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
  expect(maskPlan(planOf([whole]))["resource_changes"]).toEqual([whole]);
});

test("generated configuration and unknown members are dropped", () => {
  const sides = { generated_config: CANARY, after_write_only: CANARY };
  const plan = planOf([change(["create"], sides, { planned_by: CANARY })], { deferred_changes: [CANARY] });
  expect(JSON.stringify(maskPlan(plan))).not.toContain(CANARY);
});

test("drift is masked like changes", () => {
  const drift = change(["update"], {
    before: { note: "x" },
    after: { note: CANARY },
    after_sensitive: { note: true },
  });
  expect(JSON.stringify(maskPlan(planOf([], { resource_drift: [drift] })))).not.toContain(CANARY);
});

test("masks contain only marks", () => {
  const masks = { after_sensitive: { a: CANARY, b: [1, 0, null], [TOKEN]: true } };
  expect(maskedChange(["create"], masks)).toMatchObject({
    after_sensitive: { a: true, b: [true, false, false], [REDACTED]: true },
  });
});

test("a mask still applies when the member's name is a token", () => {
  const sides = {
    after: { tags: { [TOKEN]: CANARY, [`${TOKEN}2`]: "open" } },
    after_sensitive: { tags: { [TOKEN]: true, [`${TOKEN}2`]: false } },
  };
  expect(maskedChange(["create"], sides)).toMatchObject({
    after: { tags: { [REDACTED]: REDACTED, [`${REDACTED} 2`]: REDACTED } },
    after_sensitive: { tags: { [REDACTED]: true } },
  });
});

test("masks stay complete, even for attributes with a secret's name", () => {
  const masks = {
    before_sensitive: { list: [], map: {} },
    after_sensitive: { passwords: [true] },
    after_unknown: { secret: [{ id: true }] },
  };
  expect(maskedChange(["create"], { after: { passwords: [CANARY] }, ...masks })).toMatchObject(masks);
});

describe("a hidden change is reported by its path:", () => {
  test.each<[string, JsonObject, unknown]>([
    [
      "a rotated password",
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
      "a fully marked block",
      { before: { block: [{ a: 1 }] }, after: { block: [{ a: 2 }] }, after_sensitive: { block: true } },
      [["block"]],
    ],
    [
      "a password in a longer text",
      { before: { url: "https://a:one@x" }, after: { url: "https://a:two@x" } },
      [["url"]],
    ],
    [
      "a value under a token as its name",
      {
        before: { tags: { [TOKEN]: "old" } },
        after: { tags: { [TOKEN]: "new" } },
        after_sensitive: { tags: { [TOKEN]: true } },
      },
      [["tags", REDACTED]],
    ],
    ["nothing, when nothing is hidden", { before: { size: 1 }, after: { size: 2 } }, undefined],
    [
      "nothing, when a password is unchanged",
      { before: { password: "x" }, after: { password: "x" } },
      undefined,
    ],
    [
      "nothing, when a password is added",
      { before: { password: null }, after: { password: "x" } },
      undefined,
    ],
    ["nothing, when a resource is created", { before: null, after: { password: "x" } }, undefined],
  ])("%s", (_, sides, paths) => {
    const changed: unknown = maskedChange(["update"], sides)?.["leeway_changed"];
    expect(changed).toEqual(paths);
  });
});

test("a long name isn't repeated for each hidden change below it", () => {
  const name = "a".repeat(100_000);
  const masked = maskedChange(["update"], {
    before: { [name]: passwords("old") },
    after: { [name]: passwords("new") },
  });
  expect(masked?.["leeway_changed"]).toEqual([[name]]);
});

describe("records of an earlier masking:", () => {
  const sides = { before: { password: REDACTED, other: "x" }, after: { password: REDACTED, other: "y" } };

  test.each<[string, Json, JsonObject, unknown]>([
    [
      "paths of changes are kept",
      [["password"], ["block", 0, "note"]],
      sides,
      [["password"], ["block", 0, "note"]],
    ],
    [
      "duplicate paths are kept once, before new ones",
      [["b"], ["b"]],
      { before: { password: "x" }, after: { password: "y" } },
      [["b"], ["password"]],
    ],
    ["invalid paths are dropped", [["a"], "b", [{}], [-1], [0.5], [["c"]], null, [true]], sides, [["a"]]],
    ["values of another form are dropped", { 0: ["a"] }, sides, undefined],
    ["secrets in paths are masked", [[TOKEN, "password=x"]], sides, [[REDACTED, `password=${REDACTED}`]]],
    [
      "at most 1,000 paths are kept",
      Array.from({ length: 1001 }, (_, index) => [index]),
      sides,
      Array.from({ length: 1000 }, (_, index) => [index]),
    ],
    ["very long paths are dropped", [Array.from({ length: 201 }, () => "a")], sides, undefined],
  ])("%s", (_, leeway_changed, given, paths) => {
    const changed: unknown = maskedChange(["update"], { ...given, leeway_changed })?.["leeway_changed"];
    expect(changed).toEqual(paths);
  });

  test.each<[string, Json, unknown]>([
    [
      "pruned steps are kept",
      [{ step: "unchanged_resources", count: 7 }],
      [{ step: "unchanged_resources", count: 7 }],
    ],
    [
      "other members of a step are dropped",
      [{ step: "values", count: 7, note: CANARY }],
      [{ step: "values", count: 7 }],
    ],
    [
      "a step with an invalid name drops them all",
      [
        { step: "values", count: 7 },
        { step: "A step", count: 7 },
      ],
      undefined,
    ],
    ["a step with an invalid count drops them all", [{ step: "values", count: -1 }], undefined],
    ["an item that isn't a step drops them all", [7], undefined],
    [
      "more than 20 steps are dropped",
      Array.from({ length: 21 }, () => ({ step: "values", count: 1 })),
      undefined,
    ],
    ["steps of another form are dropped", { step: "values", count: 7 }, undefined],
  ])("%s", (_, leeway_pruned, pruned) => {
    const kept: unknown = maskPlan(planOf([], { leeway_pruned }))["leeway_pruned"];
    expect(kept).toEqual(pruned);
  });
});

test("action invocations keep only their addresses", () => {
  const address = "action.aws_lambda_invoke.warm";
  const given = { address, config_values: { payload: CANARY }, config_sensitive: {}, name: "warm" };
  const { action_invocations } = maskPlan(planOf([], { action_invocations: [given, 7] }));
  expect(action_invocations).toEqual([{ address }]);
});

test("output changes keep their names unless the name is a token", () => {
  expect(maskPlan(planOf([]))["output_changes"]).toEqual({ db_password: { actions: ["create"] } });
  const tokens = { [TOKEN]: { actions: [TOKEN] } };
  expect(maskPlan({ output_changes: tokens })["output_changes"]).toEqual({
    [REDACTED]: { actions: [REDACTED] },
  });
});

test("values of the wrong type are dropped, but the number of changes is kept", () => {
  const lists = { resource_changes: { a: CANARY }, resource_drift: null };
  expect(maskPlan({ format_version: 1, ...lists, output_changes: ["url"] })).toEqual({
    resource_changes: {},
    resource_drift: [],
  });
  const plan = planOf([null, "x", { address: "a.b" }, change(["create"], {})], {
    output_changes: { a: null },
  });
  const nothing = { change: {} };
  expect(maskPlan(plan)).toMatchObject({
    resource_changes: [nothing, nothing, { address: "a.b", change: {} }, { address: "aws_db_instance.main" }],
    output_changes: { a: {} },
  });
});

test("texts and names become storable, and names that then collide are hidden", () => {
  const after = { note: "a\0b\ud800", "n\0": CANARY, n: "open", "\udc00": 1 };
  expect(maskedChange(["create"], { after })).toMatchObject({
    after: { note: "ab\ufffd", n: REDACTED, "\ufffd": 1 },
  });
});

test("a mask still applies when the database would merge two names", () => {
  const sides = { after: { "a\0": CANARY }, after_sensitive: { "a\0": true, a: false } };
  expect(maskedChange(["create"], sides)).toMatchObject({ after: { a: REDACTED } });
});

test("a deeply nested plan is cut, and its masked parts are hidden", () => {
  const sides = {
    before: { a: endless("1"), b: [[CANARY]] },
    after: { a: endless("2"), b: [[CANARY]] },
    before_sensitive: { b: endless("true") },
    leeway_changed: endless("1"),
  };
  const text = JSON.stringify(maskedChange(["update"], sides));
  expect(text.length).toBeLessThan(3000);
  expect(text).not.toContain(CANARY);
});

describe("any JSON", () => {
  const anyJson: fc.Arbitrary<Json> = fc.json().map((text) => JSON.parse(text));
  const word = fc.constantFrom("a", "b", "a\0", "__proto__", "password", "name", "value", "--token", TOKEN);
  const text = fc.oneof(
    word,
    fc.constantFrom("password=hunter2", `https://u:hunter2@x/${TOKEN}`, "\ud800", REDACTED),
  );
  const { value } = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      text,
      fc.constantFrom<Json>(null, true, false, 0, 7),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(word, tie("value"), { maxKeys: 3 }),
    ),
  }));
  const anyChange = objectOf(
    "actions before after before_sensitive after_sensitive after_unknown replace_paths leeway_changed",
    fc.oneof(value, anyJson),
  );
  const anyPlan = objectOf(
    "format_version terraform_version timestamp resource_changes resource_drift output_changes checks leeway_pruned",
    fc.oneof(
      value,
      fc.array(fc.oneof(objectOf("address index name", value), fc.record({ change: anyChange })), {
        maxLength: 3,
      }),
    ),
  );

  test("as a plan is masked, and masking it again changes nothing", () => {
    fc.assert(
      fc.property(fc.oneof(anyPlan, anyJson), (plan) => {
        const given = structuredClone(plan);
        const masked = maskPlan(plan);
        expect(plan).toEqual(given);
        expect(maskPlan(JSON.parse(JSON.stringify(masked)))).toEqual(masked);
        expect(JSON.stringify(masked)).not.toMatch(/hunter2|aB3dE5gH7jK9|\\u0000|\\ud800/);
      }),
      { numRuns: 1000 },
    );
  });
});
