import type { PendingChange, PlanLine } from "@leeway/shared/contracts/inventory/plans";
import { members, type JsonObject } from "@leeway/shared/json";

import type { AnalyzeOptions } from "./analyze.ts";
import {
  harmless,
  hiddenOf,
  materialOf,
  weighNoise,
  wholeNoise,
  type WeighedNoise,
} from "./noise/weigh-noise.ts";
import { isIdle } from "./plan/idle.ts";
import { stays, type ResourceChange } from "./plan/model.ts";
import { readPlan } from "./plan/read-plan.ts";
import { changeFlags } from "./risk/findings.ts";
import { fingerprintOf, toldOf } from "./told-change.ts";

/**
 * What a masked plan says of the state that it was made of: what its refresh found, and what is declared and not yet
 * applied. Undefined for a plan that ended with an error, is of a part of the state only, or can't be read in full: from
 * what it doesn't name nothing follows.
 */
export function planReport(document: JsonObject, options: AnalyzeOptions): PlanLine[] | undefined {
  if (document["errored"] === true || document["complete"] === false) return undefined;
  const plan = readPlan(document);
  if (!plan.isWhole) return undefined;
  const weighed = weighNoise(plan, options);
  const drift = members(document, "resource_drift").filter(isDrift);
  const pending = plan.changes.filter(isPending);
  return [
    ...drift.map((resource) => ({ drift: resource })),
    ...pending.map((change) => ({ pending: pendingOf(change, { ...weighed, profile: options.profile }) })),
  ];
}

/** Terraform always names the address. */
function isDrift(resource: JsonObject): boolean {
  return resource["mode"] !== "data" && typeof resource["address"] === "string" && !isIdle(resource);
}

function isPending(change: ResourceChange): boolean {
  return !stays(change) && change.mode === "managed";
}

function pendingOf(
  change: ResourceChange,
  { profile, ...weighed }: WeighedNoise & Pick<AnalyzeOptions, "profile">,
): PendingChange {
  const material = materialOf(change, weighed);
  const hidden = wholeNoise(change, hiddenOf(change, weighed)) !== undefined;
  // Noise that comes and goes doesn't make another change of what is beside it.
  const told = hidden ? change : material;
  return {
    ...toldOf(change, wholeNoise(change, harmless(weighed.noiseOf.get(change) ?? []))),
    ...changeFlags(material, { profile, outside: false }),
    fingerprint: fingerprintOf(told, "pending"),
    hidden,
  };
}
