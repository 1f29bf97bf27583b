import { describe, expect, test } from "bun:test";

import {
  CREATE_FIRST,
  findings,
  planWith,
  remove,
  replace,
  withoutNoise,
  type Given,
} from "../change.fixture.ts";
import { findingsOf } from "../findings.ts";

const many = (count: number, type = "aws_subnet"): Given[] =>
  Array.from({ length: count }, (_, index) => ({ ...remove(type), address: `${type}.n[${index}]` }));
const idle = (count: number): Given[] =>
  many(count).map((given, index) => ({
    ...given,
    actions: ["no-op"],
    address: `aws_subnet.idle[${index}]`,
  }));
const massDestroy = (given: readonly Given[], profile: "lenient" | "standard" = "standard"): unknown =>
  findings(given, profile).find(({ rule }) => rule === "R19");

describe("R19, mass deletion", () => {
  test("applies to 25 deletions, but not to 24 of more than 48 resources", () => {
    expect(massDestroy([...many(25), ...idle(100)])).toMatchObject({
      risk_level: "critical",
      flag: "mass_destroy",
      address: "",
    });
    expect(massDestroy([...many(24), ...idle(25)])).toBeUndefined();
    expect(massDestroy([...many(25), ...idle(100)], "lenient")).toMatchObject({ risk_level: "medium" });
  });

  test("ignores new revisions", () => {
    const released = many(25).map((given) => ({
      ...given,
      type: "aws_ecs_task_definition",
      actions: ["delete", "create"],
    }));
    expect(findings(released, "standard").map(({ rule }) => rule)).toEqual(Array(25).fill("R20"));
  });

  test("applies to half of the existing resources, including replacements", () => {
    const created = many(9).map((given) => ({
      ...given,
      actions: ["create"],
      address: `${given.address}.new`,
    }));
    expect(massDestroy([...many(5), ...idle(5), ...created])).toMatchObject({
      message: "Deletes or replaces 5 of 10 resources",
    });
    expect(massDestroy([...many(5), ...idle(6)])).toBeUndefined();
    expect(massDestroy([...many(4), replace("aws_route", CREATE_FIRST), ...idle(5)])).toBeDefined();
  });

  test("ignores half of a small state, and resources that exist only in the state", () => {
    expect(massDestroy(many(4))).toBeUndefined();
    expect(massDestroy(many(30).map((given) => ({ ...given, type: "null_resource" })))).toBeUndefined();
  });

  test("counts resources that were pruned from the plan", () => {
    const plan = planWith(many(5), { leeway_pruned: [{ step: "unchanged_resources", count: 10 }] });
    const rules = findingsOf(plan, withoutNoise(plan), "standard").map(({ rule }) => rule);
    expect(rules).toEqual(Array(5).fill("R18"));
  });
});
