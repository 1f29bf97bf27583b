import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import type { JsonObject } from "@leeway/shared/values/json";
import { CANARY, planOf } from "@leeway/analysis/plan/plan.fixture";

import { Failure } from "../failure.ts";
import { parsePlan } from "./parse-plan.ts";

const PLAN = planOf([]);
const STATE = { version: 4, terraform_version: "1.9.0", serial: 3, lineage: "x", outputs: { a: CANARY } };

function failureOf(text: string): Failure {
  try {
    parsePlan(text, "plan.json");
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error("it was taken for a plan");
}

describe("a plan is read", () => {
  const shown = JSON.stringify(PLAN);
  test.each<[string, string]>([
    ["from terraform show", shown],
    ["with a trailing newline", `${shown}\n`],
    ["after warnings of a planner", `Warning: "x" is old\n\n${shown}\nDone.\n`],
  ])("%s", (_, text) => {
    expect(parsePlan(text, "plan.json")).toEqual(PLAN);
  });

  test.each<[string, JsonObject]>([
    ["of Terraform 0.12", { format_version: "0.1", resource_changes: [] }],
    ["without changes", { format_version: "1.2", planned_values: {} }],
    ["redacted by HCP Terraform", { plan_format_version: "1.1", resource_changes: [] }],
    ["of a refresh only", { format_version: "1.2", planned_values: {}, values: {}, resource_drift: [] }],
  ])("%s", (_, plan) => {
    expect(parsePlan(JSON.stringify(plan), "plan.json")).toEqual(plan);
  });
});

describe("any other input is refused with advice and without quoting it", () => {
  test.each<[string, string, RegExp]>([
    ["empty input", "", /^plan\.json is empty: look for the error that terraform show -json printed$/],
    [
      "plain text",
      `password ${CANARY}`,
      /^plan\.json isn't valid JSON\. Create it with: terraform show -json plan\.bin > plan\.json$/,
    ],
    [
      "a text plan without changes",
      `  # ${CANARY}\n\n\u001B[1mPlan:\u001B[0m 1 to add`,
      /is a plan as text\. Create it with/,
    ],
    [
      "a plan as people read it",
      `  # ${CANARY}\n\nPlan: 1 to add, 0 to change`,
      /is a plan as text\. Create it with/,
    ],
    [
      "one that changes nothing",
      `\u001B[32m\u001B[1mNo changes.\u001B[0m ${CANARY}`,
      /is a plan as text\. Create it with/,
    ],
    [
      "a submission",
      JSON.stringify({ plan: PLAN, repository: CANARY }),
      /pass the value of its "plan" member/,
    ],
    [
      "two plans",
      `${JSON.stringify(PLAN)}\n${JSON.stringify(PLAN)}\n`,
      /contains 2 plans: send each one separately/,
    ],
    [
      "plans of a stack",
      `Group 1\n${JSON.stringify(PLAN)}\n{ "format_version": "${CANARY}`,
      /contains 2 plans/,
    ],
    ["an incomplete plan", JSON.stringify(PLAN).slice(0, 100), /isn't valid JSON/],
    ["a list", "[]", /is JSON, but not a plan/],
    ["null", "null", /is JSON, but not a plan/],
    ["a binary plan", "PK\u0003\u0004", /is a binary plan\. Convert it with: terraform show -json/],
    ["a stream", `{"@level":"info","@message":"${CANARY}"}\n{"@level":"info"}\n`, /stream.*-out=plan\.bin/],
    ["a state", JSON.stringify(STATE), /is a state, not a plan/],
    [
      "a state from terraform show",
      JSON.stringify({ format_version: "1.0", values: { outputs: CANARY } }),
      /is a state in JSON, not a plan/,
    ],
    ["the output for a missing state", JSON.stringify({ format_version: "1.0" }), /for a missing state/],
    ["an encrypted plan", JSON.stringify({ encrypted_data: CANARY, encryption_version: "v0" }), /encrypted/],
    ["other JSON", JSON.stringify({ hello: CANARY }), /no format_version/],
    ["a future format", JSON.stringify({ format_version: "2.0" }), /upgrade leeway/],
    [
      "changes that aren't a list",
      JSON.stringify({ format_version: "1.2", resource_changes: {} }),
      /aren't a list/,
    ],
    ["a Pulumi preview", JSON.stringify({ config: {}, steps: [], changeSummary: {} }), /is a Pulumi preview/],
    [
      "a CloudFormation change set",
      JSON.stringify({ ChangeSetName: CANARY, Changes: [] }),
      /is a CloudFormation change set: leeway reads plans of Terraform and OpenTofu/,
    ],
  ])("%s", (_, text, advice) => {
    const failure = failureOf(text);
    expect(failure.outcome).toBe("plan_unreadable");
    expect(failure.message).toMatch(advice);
    expect(failure.message).not.toContain(CANARY);
  });
});

test("any text is parsed or refused without crashing", () => {
  const texts = fc.oneof(
    fc.string(),
    fc.json(),
    fc.object().map((object) => JSON.stringify({ format_version: "1.2", ...object })),
  );
  fc.assert(
    fc.property(texts, (text) => {
      try {
        parsePlan(text, "plan.json");
      } catch (error) {
        expect(error).toBeInstanceOf(Failure);
      }
    }),
  );
});
