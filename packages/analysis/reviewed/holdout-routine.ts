import type { JsonObject } from "@leeway/shared/values/json";

import { planOf, type ReviewedPlan } from "./plan.ts";

/** Builds a plan that has an effect, but that the reviewer approves without concern. */
export function routine(name: string, why: string, ...changes: JsonObject[]): ReviewedPlan {
  return { name, level: "low", why, plan: planOf(...changes) };
}

/** Builds a plan without any effect. */
export function cosmetic(name: string, ...changes: JsonObject[]): ReviewedPlan {
  return { name, level: "none", why: "Tags, labels or descriptions only.", plan: planOf(...changes) };
}
