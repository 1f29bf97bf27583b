import { deletes, type ResourceChange } from "@leeway/analysis/plan/model";
import { changeFlags } from "@leeway/analysis/risk/findings";
import type { DeclaredResource } from "@leeway/clouds/cloud";
import type { PlannedDrift } from "@leeway/shared/contracts/analyzer/analysis";
import { member, type JsonObject } from "@leeway/shared/values/json";

import { differing, planOfDrift } from "./compare-resource.ts";
import { judged, type AttributeDrift, type DriftOptions } from "./drift-of.ts";
import { projected } from "./projected.ts";
import type { LiveAttributes, LiveProperties } from "./live.ts";

/** Finding of a plan's refresh: a resource is missing or changed. */
export type RefreshDrift = {
  of: Pick<ResourceChange, "address" | "moduleAddress" | "type" | "providerName">;
} & (
  | ({ kind: "missing" } & Pick<PlannedDrift, "risk_level" | "risk_flags">)
  | { kind: "changed"; drift: AttributeDrift }
);

/** Knowledge about a resource besides the plan's. */
export interface KnownResource {
  /** Live resource if it is newer than the plan; it takes precedence. */
  since: LiveProperties | LiveAttributes | undefined;
  /** Attributes whose difference from the live resource is already reported. */
  reported: ReadonlySet<string>;
}

/**
 * Judges an element of a plan's `resource_drift`; undefined if nothing new differs. A plan thus adds to a scan's
 * findings and never changes them, regardless of who submits it.
 */
export function refreshDriftOf(
  resource: JsonObject,
  known: KnownResource | undefined,
  options: DriftOptions,
): RefreshDrift | undefined {
  const plan = planOfDrift(known ? withKnown(resource, known) : resource);
  const [whole] = plan.drift;
  if (!whole) return undefined;
  if (deletes(whole)) {
    return { kind: "missing", of: whole, ...changeFlags(whole, { profile: options.profile, outside: true }) };
  }
  const { change, noise } = differing(plan);
  return change && { kind: "changed", of: whole, drift: judged(change, noise, options) };
}

/** Reports whether a refresh found a resource deleted. */
export function isDeletion(resource: JsonObject): boolean {
  const actions = member(resource, "change")?.["actions"];
  return Array.isArray(actions) && actions.includes("delete");
}

/** Returns a deleted resource in the format of a refresh. */
export function deletionOf({
  address,
  type,
  attributes,
}: Pick<DeclaredResource, "address" | "type" | "attributes">): JsonObject {
  const change = { actions: ["delete"], before: attributes, after: null };
  return { address, type, provider_name: "", mode: "managed", change };
}

function withKnown(resource: JsonObject, { since, reported }: KnownResource): JsonObject {
  const { type } = resource;
  const change = member(resource, "change");
  const [before, after] = [member(change, "before"), member(change, "after")];
  if (!change || !before || !after || typeof type !== "string") return resource;
  const live = since ? projected(type, after, since).attributes : after;
  const known = Object.entries(before).filter(([name]) => reported.has(name));
  return { ...resource, change: { ...change, after: { ...live, ...Object.fromEntries(known) } } };
}
