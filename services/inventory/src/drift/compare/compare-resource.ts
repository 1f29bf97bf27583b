import { PROVEN } from "@leeway/analysis/noise/confidence";
import { noiseIn, type Noise } from "@leeway/analysis/noise/noise-in";
import { harmless, withoutNoise } from "@leeway/analysis/noise/weigh-noise";
import type { MaterialChange, Plan } from "@leeway/analysis/plan/model";
import { readPlan } from "@leeway/analysis/plan/read-plan";
import type { AttributeChange, Path } from "@leeway/shared/contracts/analyzer/analysis";
import { isObject, type Json, type JsonObject } from "@leeway/shared/json";
import { maskPlan } from "@leeway/shared/plan/mask-plan";

import { projected, type LiveAttributes, type LiveProperties } from "./projected.ts";

/** A declared resource and the live one that it was matched with. */
export interface MatchedResource {
  /** The Terraform type. */
  type: string;
  address: string;
  providerName?: string;
  /** The state's attributes. */
  declared: JsonObject;
  live: LiveProperties | LiveAttributes;
  /** Attributes that the state marks as sensitive. */
  sensitive?: readonly Path[];
}

/** What differs between a declared resource and its live one. */
export interface Comparison {
  /** False where nothing of the resource could be compared. */
  checked: boolean;
  /** Before is what is declared, after what is live; what is shown to mean the same isn't in it. Secrets are masked. */
  changes: readonly AttributeChange[];
  /** Which of the changes mean nothing, and why. */
  noise: readonly Noise[];
}

/** Compares live properties with a state's attributes, as far as the type's attributes are known. */
export function compareResource(resource: MatchedResource): Comparison {
  const { checked, change, noise } = changesOf(resource);
  return { checked, changes: change?.differences ?? [], noise };
}

/** A comparison in the form of a change outside of the tool, which the rules can judge; none where nothing differs. */
export function changesOf(
  resource: MatchedResource,
): Omit<Comparison, "changes"> & { change: MaterialChange | undefined } {
  const { attributes, compared } = projected(resource.type, resource.declared, resource.live);
  const plan = isChanged(resource.declared, attributes) ? planOf(resource, attributes) : undefined;
  return { checked: compared > 0, ...(plan ? differing(plan) : { change: undefined, noise: [] }) };
}

/** The one change in a plan's drift, without what is shown to mean the same; none where nothing else differs. */
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
  return Object.keys(live).some((name) => live[name] !== declared[name]);
}

/** As a plan that has nothing but this change in its drift, masked as those are that come from outside. */
function planOf(
  { type, address, providerName, declared, sensitive = [] }: MatchedResource,
  after: JsonObject,
): Plan {
  const mask = maskOf(sensitive, declared);
  const change = {
    actions: ["update"],
    before: declared,
    after,
    before_sensitive: mask,
    after_sensitive: mask,
  };
  return planOfDrift({ address, type, provider_name: providerName ?? "", mode: "managed", change });
}

/** A plan that has nothing but this in its `resource_drift`, masked. */
export function planOfDrift(resource: JsonObject): Plan {
  return readPlan(maskPlan({ format_version: "1.2", resource_changes: [], resource_drift: [resource] }));
}

/** What a plan would have as `before_sensitive`: the shape of the value down to what is marked. */
function maskOf(paths: readonly Path[], value: Json): Json {
  if (paths.length === 0) return false;
  if (paths.some((path) => path.length === 0)) return true;
  const below = (step: string | number): Path[] =>
    paths.filter(([first]) => first === step).map((path) => path.slice(1));
  if (Array.isArray(value)) return value.map((item, index) => maskOf(below(index), item));
  if (!isObject(value)) return true;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, maskOf(below(name), inner)]));
}
