import type { PendingChange, PlanLine } from "@leeway/shared/contracts/inventory/plans";
import { members, type JsonObject } from "@leeway/shared/values/json";

import type { AnalyzeOptions } from "./analyze.ts";
import {
  harmless,
  hiddenOf,
  materialOf,
  weighNoise,
  wholeNoise,
  type WeighedNoise,
} from "./noise/weigh-noise.ts";
import { isIdle } from "./noise/idle.ts";
import { stays, type ResourceChange } from "./plan/model.ts";
import { readPlan } from "./plan/read-plan.ts";
import { changeFlags } from "./risk/findings.ts";
import { fingerprintOf, reportedChange } from "./change-report.ts";

/**
 * Extracts what a masked plan shows about its state: drift found by its refresh, and changes not yet applied.
 * Undefined for failed, partial or incompletely readable plans, because resources missing from them prove nothing.
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

/** Checks for drift of a managed resource. Terraform always includes the address. */
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
  // Noise comes and goes, so it must not change the identity of the change beside it.
  const reported = hidden ? change : material;
  return {
    ...reportedChange(change, wholeNoise(change, harmless(weighed.noiseOf.get(change) ?? []))),
    ...changeFlags(material, { profile, outside: false }),
    fingerprint: fingerprintOf(reported, "pending"),
    hidden,
  };
}
