import type { Path, RiskLevel, RiskProfile } from "@leeway/shared/contracts/analyzer/analysis";
import type { Json, JsonObject } from "@leeway/shared/json";

import type { MaterialChange, Plan } from "../plan/model.ts";
import { readPlan } from "../plan/read-plan.ts";
import { findingsOf } from "./findings.ts";

/** A resource change, as much of it as a test cares for. */
export interface Given {
  type: string;
  actions: readonly string[];
  before?: Json;
  after?: Json;
  address?: string;
  /** More of its `change`. */
  change?: JsonObject;
}

/** As Terraform writes it. */
export function resourceChange({
  type,
  actions,
  before = null,
  after = null,
  address,
  change,
}: Given): JsonObject {
  return {
    address: address ?? `${type}.main`,
    mode: "managed",
    type,
    name: "main",
    change: { actions: [...actions], before, after, ...change },
  };
}

export function planWith(given: readonly Given[], members: JsonObject = {}): Plan {
  return readPlan({ format_version: "1.2", resource_changes: given.map(resourceChange), ...members });
}

export const withoutNoise = ({ changes }: Plan): MaterialChange[] =>
  changes.map((change) => ({ ...change, allDifferences: change.differences }));

/** Findings of a plan with these changes, none of it noise. */
export function findings(
  given: readonly Given[],
  profile: RiskProfile = "baseline",
): ReturnType<typeof findingsOf> {
  const plan = planWith(given);
  return findingsOf(plan, withoutNoise(plan), profile);
}

/** Flag, level in `baseline` and level in `strict`. */
export type Said = [flag: string, baseline: RiskLevel, strict: RiskLevel];
/** What a rule says of one change, with its evidence. */
export type Seen = [...Said, evidence: Path[]];

/** What a rule says of a change, beside others; undefined when it says nothing. */
export function said(rule: string, given: Given, others: readonly Given[] = []): Seen | undefined {
  const all = [given, ...others];
  const address = given.address ?? `${given.type}.main`;
  const [baseline, strict] = (["baseline", "strict"] as const).map((profile) =>
    findings(all, profile).find((finding) => finding.rule === rule && finding.address === address),
  );
  if (!baseline || !strict) return undefined;
  return [baseline.flag, baseline.risk_level, strict.risk_level, baseline.paths];
}

export const CREATE = ["create"];
export const UPDATE = ["update"];
export const DELETE = ["delete"];
export const DESTROY_FIRST = ["delete", "create"];
export const CREATE_FIRST = ["create", "delete"];

/** An update of these attributes. */
export function update(type: string, before: JsonObject, after: JsonObject, change: JsonObject = {}): Given {
  return { type, actions: UPDATE, before, after, change };
}
export const create = (type: string, after: JsonObject = {}): Given => ({ type, actions: CREATE, after });
export const remove = (type: string, before: JsonObject = {}): Given => ({ type, actions: DELETE, before });
export function replace(
  type: string,
  actions: readonly string[],
  before: JsonObject = {},
  after = before,
): Given {
  return { type, actions, before, after, change: { replace_paths: [["name"]] } };
}

/** An attribute with an AWS policy that allows what a statement says. */
export function policy(statement: JsonObject): JsonObject {
  return {
    policy: JSON.stringify({ Version: "2012-10-17", Statement: [{ Effect: "Allow", ...statement }] }),
  };
}
