import { describe, expect, test } from "bun:test";

import { member, members, type Json, type JsonObject } from "@leeway/shared/json";
import fc from "fast-check";

import { maskPlan } from "./mask-plan.ts";

const anyJson: fc.Arbitrary<Json> = fc.json().map((text) => JSON.parse(text));

function maskedChange(change: JsonObject): JsonObject | undefined {
  const plan = maskPlan({ resource_changes: [{ address: "a.b", type: "a", change }] });
  return member(members(plan, "resource_changes")[0], "change");
}

describe("secrets of a plan", () => {
  test.each<[string, JsonObject, JsonObject]>([
    [
      "what a mask marks is hidden, and the rest is kept",
      {
        before: null,
        after: { name: "jobs", hint: "blue" },
        before_sensitive: false,
        after_sensitive: { hint: true },
      },
      { before: null, after: { name: "jobs", hint: "[redacted]" } },
    ],
    [
      "a hidden value that changes says so, and one that stays doesn't",
      {
        before: { a: "x", b: "y" },
        after: { a: "x", b: "z" },
        before_sensitive: { a: true, b: true },
        after_sensitive: { a: true, b: true },
      },
      { before: { a: "[redacted]", b: "[redacted]" }, after: { a: "[redacted]", b: "[redacted] (changed)" } },
    ],
    [
      "a hidden block that changes says so",
      {
        before: { a: { b: 1 } },
        after: { a: { b: 2 } },
        before_sensitive: { a: true },
        after_sensitive: { a: true },
      },
      { before: { a: "[redacted]" }, after: { a: "[redacted] (changed)" } },
    ],
    [
      "a password is hidden without any mask, and that it changes is told",
      { before: { password: "hunter2" }, after: { password: "hunter3" } },
      { before: { password: "[redacted]" }, after: { password: "[redacted] (changed)" } },
    ],
    [
      "a secret within a text is hidden, and that it changes is told",
      { before: { url: "postgres://u:old@db/x" }, after: { url: "postgres://u:new@db/x" } },
      {
        before: { url: "postgres://u:[redacted]@db/x" },
        after: { url: "postgres://u:[redacted]@db/x (changed)" },
      },
    ],
    [
      "a mask on one item hides that item",
      { before: null, after: { list: ["a", "b"] }, after_sensitive: { list: [false, true] } },
      { before: null, after: { list: ["a", "[redacted]"] } },
    ],
    [
      "a set whose mask doesn't fit its members is hidden whole",
      { before: null, after: { set: [{ k: "a" }, { k: "b" }] }, after_sensitive: { set: [{ k: true }] } },
      { before: null, after: { set: "[redacted]" } },
    ],
    [
      "a mask of another form than the value hides the value",
      {
        before: null,
        after: { a: '{"k":"v"}', b: ["x"] },
        after_sensitive: { a: { k: true }, b: { k: true } },
      },
      { before: null, after: { a: "[redacted]", b: "[redacted]" } },
    ],
    [
      "a resource that is sensitive as a whole keeps the names of its attributes",
      { before: { a: 1, b: null }, after: null, before_sensitive: true, after_sensitive: false },
      { before: { a: "[redacted]", b: null }, after: null },
    ],
    [
      "a member named as something of every object is like any other",
      { before: null, after: { a: "x", constructor: "jobs" }, after_sensitive: { a: true } },
      { before: null, after: { a: "[redacted]", constructor: "jobs" } },
    ],
    [
      "masks that mark nothing hide nothing",
      {
        before: { a: [1] },
        after: { a: [1, 2] },
        before_sensitive: { a: [] },
        after_sensitive: { a: [false], b: {} },
      },
      { before: { a: [1] }, after: { a: [1, 2] } },
    ],
  ])("%s", (_, change, expected) => {
    expect(maskedChange(change)).toEqual({ ...change, ...expected });
  });

  test("drift is masked as changes are", () => {
    const drift = [
      { address: "a.b", change: { before: { x: "y" }, after: null, before_sensitive: { x: true } } },
    ];
    expect(JSON.stringify(maskPlan({ resource_drift: drift })["resource_drift"])).toContain(
      '"x":"[redacted]"',
    );
  });

  test("values of outputs, variables and of the rest of the state aren't kept at all", () => {
    const plan: JsonObject = {
      format_version: "1.2",
      output_changes: {
        url: { actions: ["update"], before: "clear1", after: "clear2", after_sensitive: false },
      },
      variables: { v: { value: "clear3" } },
      planned_values: { outputs: { o: { sensitive: true, value: "clear4" } } },
      prior_state: { values: { root_module: { resources: [{ values: { v: "clear5" } }] } } },
      configuration: { root_module: { variables: { v: { default: "clear6" } } } },
    };
    expect(maskPlan(plan)).toEqual({
      format_version: "1.2",
      output_changes: { url: { actions: ["update"] } },
    });
    expect(maskPlan({ output_changes: ["url"] })).toEqual({ output_changes: ["url"] });
  });

  test("a plan of any form is masked without an exception, and what its masks mark is gone", () => {
    const marked = "marked-value";
    const value: fc.Arbitrary<[Json, Json]> = fc.letrec<{ pair: [Json, Json] }>((tie) => ({
      pair: fc.oneof(
        { maxDepth: 4 },
        fc.constant<[Json, Json]>([marked, true]),
        fc.constant<[Json, Json]>(["shown", false]),
        fc
          .array(tie("pair"), { maxLength: 3 })
          .map((pairs): [Json, Json] => [pairs.map(([item]) => item), pairs.map(([, mask]) => mask)]),
        fc
          .dictionary(fc.constantFrom("a", "b", "__proto__"), tie("pair"), { maxKeys: 3 })
          .map((pairs): [Json, Json] => [
            Object.fromEntries(Object.entries(pairs).map(([key, [item]]) => [key, item])),
            Object.fromEntries(Object.entries(pairs).map(([key, [, mask]]) => [key, mask])),
          ]),
      ),
    })).pair;
    fc.assert(
      fc.property(value, value, anyJson, ([before, before_sensitive], [after, after_sensitive], other) => {
        const change = { before, after, before_sensitive, after_sensitive };
        const text = JSON.stringify(maskPlan({ resource_changes: [{ change }, other] }));
        expect(text).not.toContain(marked);
        expect(text.includes("shown")).toBe(JSON.stringify(change).includes("shown"));
        maskPlan({ resource_changes: other, output_changes: other, checks: other });
      }),
    );
  });
});
