import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import type { JsonObject } from "@leeway/shared/json";
import { CANARY, planOf } from "@leeway/shared/plan/plan.fixture";

import { Failure } from "../failure.ts";
import { parsePlan } from "./parse-plan.ts";

const PLAN = planOf([]);
const STATE = { version: 4, terraform_version: "1.9.0", serial: 3, lineage: "x", outputs: { a: CANARY } };

function failureOf(text: string): Failure {
  try {
    parsePlan(text);
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error("it was taken for a plan");
}

describe("a plan is read", () => {
  const shown = JSON.stringify(PLAN);
  test.each<[string, string]>([
    ["as Terraform shows it", shown],
    ["with a line break behind it", `${shown}\n`],
    ["behind warnings that a planner has put in front of it", `Warning: "x" is old\n\n${shown}\nDone.\n`],
  ])("%s", (_, text) => {
    expect(parsePlan(text)).toEqual(PLAN);
  });

  test.each<[string, JsonObject]>([
    ["of Terraform 0.12", { format_version: "0.1", resource_changes: [] }],
    ["without changes", { format_version: "1.2", planned_values: {} }],
    ["that HCP Terraform redacted", { plan_format_version: "1.1", resource_changes: [] }],
    ["of a refresh alone", { format_version: "1.2", planned_values: {}, values: {}, resource_drift: [] }],
  ])("%s", (_, plan) => {
    expect(parsePlan(JSON.stringify(plan))).toEqual(plan);
  });
});

describe("what isn't a plan is refused with what to do instead, and nothing of it is quoted", () => {
  test.each<[string, string, RegExp]>([
    ["nothing", "", /is empty: look at what `terraform show -json/],
    ["a text", `password ${CANARY}`, /is no JSON: run `terraform show -json/],
    ["a plan as people read it", `  # ${CANARY}\n\n\u001B[1mPlan:\u001B[0m 1 to add`, /as text: run/],
    [
      "a plan as people read it",
      `  # ${CANARY}\n\nPlan: 1 to add, 0 to change`,
      /as text: run `terraform show/,
    ],
    ["one that changes nothing", `\u001B[32m\u001B[1mNo changes.\u001B[0m ${CANARY}`, /as text: run/],
    [
      "a submission",
      JSON.stringify({ plan: PLAN, repository: CANARY }),
      /give what stands in its member plan/,
    ],
    [
      "two plans",
      `${JSON.stringify(PLAN)}\n${JSON.stringify(PLAN)}\n`,
      /2 plans in one: send each by itself/,
    ],
    [
      "plans of a stack",
      `Group 1\n${JSON.stringify(PLAN)}\n{ "format_version": "${CANARY}`,
      /2 plans in one/,
    ],
    ["half a plan", JSON.stringify(PLAN).slice(0, 100), /is no JSON/],
    ["a list", "[]", /no plan/],
    ["null", "null", /no plan/],
    ["a binary plan", "PK\u0003\u0004", /binary plan: run `terraform show -json/],
    ["a stream", `{"@level":"info","@message":"${CANARY}"}\n{"@level":"info"}\n`, /stream.*-out=PLANFILE/],
    ["a state", JSON.stringify(STATE), /is a state/],
    ["a shown state", JSON.stringify({ format_version: "1.0", values: { outputs: CANARY } }), /of a state/],
    ["what is shown where there is no state yet", JSON.stringify({ format_version: "1.0" }), /no state yet/],
    ["an encrypted plan", JSON.stringify({ encrypted_data: CANARY, encryption_version: "v0" }), /encrypted/],
    ["other JSON", JSON.stringify({ hello: CANARY }), /no format_version/],
    ["a format to come", JSON.stringify({ format_version: "2.0" }), /other than 0 and 1/],
    ["changes that are no list", JSON.stringify({ format_version: "1.2", resource_changes: {} }), /no list/],
  ])("%s", (_, text, advice) => {
    const failure = failureOf(text);
    expect(failure.outcome).toBe("plan_unreadable");
    expect(failure.message).toMatch(advice);
    expect(failure.message).not.toContain(CANARY);
  });
});

test("any text and any JSON is a plan or refused, never a crash", () => {
  const texts = fc.oneof(
    fc.string(),
    fc.json(),
    fc.object().map((object) => JSON.stringify({ format_version: "1.2", ...object })),
  );
  fc.assert(
    fc.property(texts, (text) => {
      try {
        parsePlan(text);
      } catch (error) {
        expect(error).toBeInstanceOf(Failure);
      }
    }),
  );
});
