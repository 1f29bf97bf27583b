import { deletes, type ResourceChange } from "@leeway/analysis/plan/model";
import { changeFlags } from "@leeway/analysis/risk/findings";
import type { PlannedDrift } from "@leeway/shared/contracts/analyzer/analysis";
import { isObject, member, type JsonObject } from "@leeway/shared/json";

import { differing, planOfDrift } from "./compare-resource.ts";
import { judged, type AttributeDrift, type DriftOptions } from "./drift-of.ts";
import { projected, type LiveAttributes, type LiveProperties } from "./projected.ts";

/** What a plan's refresh found of a resource: that it is gone, or another one. */
export type RefreshDrift = {
  of: Pick<ResourceChange, "address" | "moduleAddress" | "type" | "providerName">;
} & (
  | ({ kind: "missing" } & Pick<PlannedDrift, "risk_level" | "risk_flags">)
  | { kind: "changed"; drift: AttributeDrift }
);

/**
 * Judges an element of a plan's `resource_drift`. What is known of the live resource since the plan was made takes the
 * place of what its refresh saw. Undefined when nothing differs.
 */
export function refreshDriftOf(
  resource: JsonObject,
  since: LiveProperties | LiveAttributes | undefined,
  options: DriftOptions,
): RefreshDrift | undefined {
  const plan = planOfDrift(since ? seenSince(resource, since) : resource);
  const [whole] = plan.drift;
  if (!whole) return undefined;
  if (deletes(whole)) {
    return { kind: "missing", of: whole, ...changeFlags(whole, { profile: options.profile, outside: true }) };
  }
  const { change, noise } = differing(plan);
  return change && { kind: "changed", of: whole, drift: judged(change, noise, options) };
}

/** Whether a refresh found that a resource is gone. */
export function isDeletion(resource: JsonObject): boolean {
  const actions = member(resource, "change")?.["actions"];
  return Array.isArray(actions) && actions.includes("delete");
}

function seenSince(resource: JsonObject, live: LiveProperties | LiveAttributes): JsonObject {
  const change = member(resource, "change");
  const { type } = resource;
  if (!isObject(change?.["after"]) || typeof type !== "string") return resource;
  return { ...resource, change: { ...change, after: projected(type, change["after"], live).attributes } };
}
