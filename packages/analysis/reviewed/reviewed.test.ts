import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import type { RiskLevel } from "@leeway/shared/contracts/analyzer/analysis";
import { CORPUS, hasCorpus } from "@leeway/shared/testing/corpus.fixture";
import { type JsonObject, members, text } from "@leeway/shared/values/json";
import { isAtLeast } from "@leeway/shared/contracts/analyzer/risk-levels";

import { failsGate } from "../src/risk/gate.ts";
import { COLLECTION } from "./collection.ts";
import { COMMON_TYPES } from "./common-types.ts";
import { agreement, analyze, falseAlarms, isDangerous, judge, levelOf, matrix, missed } from "./judge.ts";
import { created, planOf } from "./plan.ts";
import { REVIEWED_PLANS } from "./reviewed-plans.ts";
import { TEN_CHANGES, TEN_RANKED } from "./ten-changes.ts";

const fromCollection = hasCorpus
  ? COLLECTION.map((one) => {
      const json = readFileSync(join(CORPUS, "terraform-plans", one.name), "utf8");
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- plans of the collection are JSON objects
      return { ...one, plan: JSON.parse(json) as JsonObject };
    })
  : [];

describe.each([
  { plans: "the reviewer's own plans", given: REVIEWED_PLANS, there: true },
  { plans: "real plans of the collection", given: fromCollection, there: hasCorpus },
])("$plans", ({ plans, given, there }) => {
  // The collection of real plans isn't part of the project and may be absent.
  describe.skipIf(!there)("under the standard profile", () => {
    const verdicts = given.map(judge);
    if (there) process.stdout.write(`\n${matrix(`${plans}: reviewer down, Leeway across`, verdicts)}\n`);

    test("at least 95 % of the plans get the reviewer's level", () => {
      expect(agreement(verdicts)).toBeGreaterThanOrEqual(0.95);
    });

    test("no plan that the reviewer blocks gets a lower level", () => {
      expect(missed(verdicts).map(({ name }) => name)).toEqual([]);
    });

    test("no plan that the reviewer calls low or none gets a higher level than low", () => {
      expect(falseAlarms(verdicts).map(({ name }) => name)).toEqual([]);
    });
  });
});

test("every reviewed plan has a unique name", () => {
  const names = [...REVIEWED_PLANS, ...COLLECTION].map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});

describe("ten dangerous changes", () => {
  const { findings, risk_level } = analyze(TEN_CHANGES.plan);

  test("are critical", () => {
    expect(risk_level).toBe("critical");
  });

  test("have at least eight findings at high or critical", () => {
    expect(findings.filter((one) => isDangerous(one.risk_level)).length).toBeGreaterThanOrEqual(8);
  });

  test("list administrator rights and open ports among the first five findings", () => {
    const first = findings.slice(0, 5).map(({ address }) => address);
    expect(first).toEqual(
      expect.arrayContaining([
        "aws_iam_role_policy.ci",
        "aws_iam_role_policy_attachment.developers",
        "aws_security_group_rule.all_ports",
        "aws_security_group_rule.ssh",
      ]),
    );
  });

  // All ten steps fail the gate: even the mildest change, a service scaled to zero, is an outage.
  test.each(TEN_RANKED.map((address, index) => ({ index, address })))(
    "fail a gate on high with $index fixed and $address as the worst left",
    ({ index }) => {
      const left = new Set(TEN_RANKED.slice(index));
      const changes = members(TEN_CHANGES.plan, "resource_changes").filter((change) =>
        left.has(text(change, "address") ?? ""),
      );
      expect(changes).toHaveLength(10 - index);
      expect(failsGate(analyze(planOf(...changes)).risk_level, "high")).toBe(true);
    },
  );
});

const createdLevel = (type: string, after: JsonObject): RiskLevel =>
  levelOf(analyze(planOf(created(`${type}.it`, after))));
const countOf = (prefix: string): number => COMMON_TYPES.filter(({ type }) => type.startsWith(prefix)).length;

describe("common types", () => {
  const exposed = COMMON_TYPES.flatMap(({ type, exposed }) => (exposed ? [{ type, ...exposed }] : []));

  test.each(COMMON_TYPES)(
    "creating a harmless $type is at most low, or medium for firewalls and access",
    ({ type, harmless, medium }) => {
      const level = createdLevel(type, harmless);
      expect(isAtLeast(medium ? "medium" : "low", level)).toBe(true);
    },
  );

  test.each(exposed)("creating an exposed $type is high or critical", ({ type, after }) => {
    expect(isDangerous(createdLevel(type, after))).toBe(true);
  });

  test("include twelve per cloud and thirty with an exposed form", () => {
    for (const prefix of ["aws_", "google_", "azurerm_"]) expect(countOf(prefix)).toBeGreaterThanOrEqual(12);
    expect(exposed.length).toBeGreaterThanOrEqual(30);
    expect(new Set(COMMON_TYPES.map(({ type }) => type)).size).toBe(COMMON_TYPES.length);
  });

  test("that are parts of another resource are listed with their parent", () => {
    const parts = COMMON_TYPES.flatMap(({ type, live }) =>
      "part_of" in live ? [{ type, whole: live.part_of }] : [],
    );
    const without = parts.filter(({ type, whole }) => {
      const live = COMMON_TYPES.find((row) => row.type === whole)?.live;
      return live === undefined || !("provider_type" in live) || live.exposed_by?.[type] === undefined;
    });
    expect(without).toEqual([]);
  });
});
