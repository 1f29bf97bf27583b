import { deletes, type ResourceChange } from "@leeway/analysis/plan/model";
import { changeFlags } from "@leeway/analysis/risk/findings";
import type { PlannedDrift } from "@leeway/shared/contracts/analyzer/analysis";
import { member, type JsonObject } from "@leeway/shared/json";

import type { DeclaredResource } from "../../clouds/cloud.ts";
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

/** What is known of a resource beside what a plan says of it. */
export interface KnownResource {
  /** What is live, where that is newer than the plan: it has the last word. */
  since: LiveProperties | LiveAttributes | undefined;
  /** Attributes that are told to differ already, by what is live. */
  told: ReadonlySet<string>;
}

/**
 * Judges an element of a plan's `resource_drift`; undefined when nothing differs that isn't told already. So a plan
 * adds to what a scan has seen and changes nothing of it, whoever has it analysed.
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

/** Whether a refresh found that a resource is gone. */
export function isDeletion(resource: JsonObject): boolean {
  const actions = member(resource, "change")?.["actions"];
  return Array.isArray(actions) && actions.includes("delete");
}

/** A resource that is gone, as a refresh tells it. */
export function deletionOf({
  address,
  type,
  attributes,
}: Pick<DeclaredResource, "address" | "type" | "attributes">): JsonObject {
  const change = { actions: ["delete"], before: attributes, after: null };
  return { address, type, provider_name: "", mode: "managed", change };
}

function withKnown(resource: JsonObject, { since, told }: KnownResource): JsonObject {
  const { type } = resource;
  const change = member(resource, "change");
  const [before, after] = [member(change, "before"), member(change, "after")];
  if (!change || !before || !after || typeof type !== "string") return resource;
  const live = since ? projected(type, after, since).attributes : after;
  const known = Object.entries(before).filter(([name]) => told.has(name));
  return { ...resource, change: { ...change, after: { ...live, ...Object.fromEntries(known) } } };
}
