import type { Path, RiskLevel, RiskProfile } from "@leeway/shared/contracts/analyzer/analysis";
import type { Json, JsonObject } from "@leeway/shared/values/json";

import type { MaterialChange, Plan } from "../plan/model.ts";
import { readPlan } from "../plan/read-plan.ts";
import { findingsOf } from "./findings.ts";

/** Parts of a resource change that a test sets. */
export interface Given {
  type: string;
  actions: readonly string[];
  before?: Json;
  after?: Json;
  address?: string;
  /** Additional members of its `change`. */
  change?: JsonObject;
}

/** Builds a change as Terraform writes it. */
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

/** Returns findings of a plan with these changes, none of them noise. */
export function findings(
  given: readonly Given[],
  profile: RiskProfile = "lenient",
): ReturnType<typeof findingsOf> {
  const plan = planWith(given);
  return findingsOf(plan, withoutNoise(plan), profile);
}

/** Flag, level in `lenient` and level in `standard`. */
export type Rating = [flag: string, lenient: RiskLevel, standard: RiskLevel];
/** A rule's finding on one change, with its evidence. */
export type RatedFinding = [...Rating, evidence: Path[]];

/** Returns a rule's finding on a change among others; undefined if there is none. */
export function findingBy(
  rule: string,
  given: Given,
  others: readonly Given[] = [],
): RatedFinding | undefined {
  const all = [given, ...others];
  const address = given.address ?? `${given.type}.main`;
  const [lenient, standard] = (["lenient", "standard"] as const).map((profile) =>
    findings(all, profile).find((finding) => finding.rule === rule && finding.address === address),
  );
  if (!lenient || !standard) return undefined;
  return [lenient.flag, lenient.risk_level, standard.risk_level, lenient.paths];
}

export const CREATE = ["create"];
export const UPDATE = ["update"];
export const DELETE = ["delete"];
export const DESTROY_FIRST = ["delete", "create"];
export const CREATE_FIRST = ["create", "delete"];

/** Builds an update of these attributes. */
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

/** Builds an attribute with an AWS policy that allows a statement. */
export function policy(statement: JsonObject): JsonObject {
  return {
    policy: JSON.stringify({ Version: "2012-10-17", Statement: [{ Effect: "Allow", ...statement }] }),
  };
}
