import { expect, test } from "bun:test";

import { readPlan } from "@leeway/analysis/plan/read-plan";
import { changeFlags } from "@leeway/analysis/risk/findings";
import { cloudOf } from "@leeway/clouds/clouds";
import type { RiskLevel } from "@leeway/shared/contracts/analyzer/analysis";
import type { JsonObject } from "@leeway/shared/values/json";
import { isAtLeast, worstOf } from "@leeway/shared/contracts/analyzer/risk-levels";

import { createdParts } from "./created-parts.ts";
import { createdFrom } from "./created.ts";
import { judgeCreated, type JudgedCreation } from "./judge-created.ts";
import type { Part } from "./mapping.ts";

/** A live resource, and the Terraform resources that a plan would create for it. */
export interface Sighted {
  is: string;
  /** Whether it is public or privileged. */
  danger?: true;
  live: JsonObject;
  plan: readonly (readonly [type: string, attributes: JsonObject])[];
}

/** Judges an undeclared live resource; `parts` of it are declared. */
export function judgedLive(
  provider: string,
  providerType: string,
  { properties, parts = [] }: { properties: JsonObject; parts?: readonly Part[] },
): JudgedCreation {
  const resource = { cloud: cloudOf(provider), providerType, properties, parts };
  const { apart, ...whole } = createdFrom(resource);
  return judgeCreated(whole, createdParts(resource, apart), "standard");
}

/** Returns the risk level of a plan that creates these resources. */
function plannedLevel(plan: Sighted["plan"]): RiskLevel {
  const resource_changes = plan.map(([type, after], index) => ({
    address: `${type}.r${index}`,
    type,
    mode: "managed",
    change: { actions: ["create"], before: null, after },
  }));
  const { changes } = readPlan({ format_version: "1.2", resource_changes });
  const profile = "standard";
  return worstOf(changes.map((change) => changeFlags(change, { profile, outside: false }).risk_level));
}

/** Tests that undeclared resources have the same risk level as a plan that creates them. */
export function testTypes(provider: string, types: Readonly<Record<string, readonly Sighted[]>>): void {
  const cases = Object.entries(types).flatMap(([type, all]) =>
    all.map((one): [string, string, Sighted] => [type, one.is, one]),
  );
  test.each(cases)(
    "%s, %s: gets the level of the plan that creates it",
    (type, _, { danger = false, live, plan }) => {
      const { risk_level } = judgedLive(provider, type, { properties: live });
      expect(risk_level).toBe(plannedLevel(plan));
      expect(isAtLeast(risk_level, "high")).toBe(danger);
    },
  );
}

/** Returns a policy with one statement. */
export function policyOf(statement: JsonObject): JsonObject {
  return { Version: "2012-10-17", Statement: [{ Effect: "Allow", ...statement }] };
}
