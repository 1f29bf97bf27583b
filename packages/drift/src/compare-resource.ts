import { PROVEN } from "@leeway/analysis/noise/confidence";
import { noiseIn, type Noise } from "@leeway/analysis/noise/noise-in";
import { harmless, withoutNoise } from "@leeway/analysis/noise/weigh-noise";
import type { MaterialChange, Plan } from "@leeway/analysis/plan/model";
import { readPlan } from "@leeway/analysis/plan/read-plan";
import type { AttributeChange } from "@leeway/shared/contracts/analyzer/analysis";
import type { JsonObject } from "@leeway/shared/values/json";
import { maskPlan } from "@leeway/analysis/plan/mask-plan";

import { projected } from "./projected.ts";
import type { LiveAttributes, LiveProperties } from "./live.ts";

/** A declared resource and its live match. */
export interface MatchedResource {
  /** Terraform type. */
  type: string;
  address: string;
  providerName?: string;
  /** Attributes in the state. */
  declared: JsonObject;
  live: LiveProperties | LiveAttributes;
}

/** Differences between a declared resource and the live one. */
export interface Comparison {
  /** Whether anything could be compared. */
  checked: boolean;
  /** Changes from declared (before) to live (after), without equivalent values. Secrets are masked. */
  changes: readonly AttributeChange[];
  /** Changes that are noise, with the reasons. */
  noise: readonly Noise[];
}

/** Compares live properties with a state's attributes, as far as the tables know the type. */
export function compareResource(resource: MatchedResource): Comparison {
  const { checked, change, noise } = changesOf(resource);
  return { checked, changes: change?.differences ?? [], noise };
}

/** Returns a comparison as a change outside the tool, which rules can judge; undefined if nothing differs. */
export function changesOf(
  resource: MatchedResource,
): Omit<Comparison, "changes"> & { change: MaterialChange | undefined; seen?: string } {
  const { attributes, compared, seen } = projected(resource.type, resource.declared, resource.live);
  const plan = isChanged(resource.declared, attributes) ? planOf(resource, attributes) : undefined;
  const known = { checked: compared > 0, ...(seen !== undefined && { seen }) };
  return { ...known, ...(plan ? differing(plan) : { change: undefined, noise: [] }) };
}

/** Returns the only change in a plan's drift without proven noise; undefined if nothing is left. */
export function differing(plan: Plan): { change: MaterialChange | undefined; noise: readonly Noise[] } {
  const [whole] = plan.drift;
  if (!whole) return { change: undefined, noise: [] };
  const noise = noiseIn(plan);
  const equal = new Set(harmless(noise.filter(({ confidence }) => confidence === PROVEN)));
  const [change] = withoutNoise([whole], equal);
  if (change === undefined || change.differences.length === 0) return { change: undefined, noise: [] };
  return { change, noise: noise.filter((one) => !equal.has(one)) };
}

function isChanged(declared: JsonObject, live: JsonObject): boolean {
  return live !== declared && Object.keys(live).some((name) => live[name] !== declared[name]);
}

/** Returns a plan with only this change in its drift, masked like plans from outside. */
function planOf({ type, address, providerName, declared }: MatchedResource, after: JsonObject): Plan {
  const change = { actions: ["update"], before: declared, after };
  return planOfDrift({ address, type, provider_name: providerName ?? "", mode: "managed", change });
}

/** Returns a plan with only this resource in its `resource_drift`, masked. */
export function planOfDrift(resource: JsonObject): Plan {
  return readPlan(maskPlan({ format_version: "1.2", resource_changes: [], resource_drift: [resource] }));
}
