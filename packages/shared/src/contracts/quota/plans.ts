import { Type as t, type Static } from "@sinclair/typebox";

import { defineRequest, words } from "../contract.ts";
import { Uuid } from "../common.ts";

/** A cap: -1 is unlimited, 0 is off. */
const Cap = t.Integer({ minimum: -1, maximum: 1_000_000 });

export const PLANS = ["free", "team", "enterprise"] as const;
export const Plan = words(PLANS);
export type Plan = Static<typeof Plan>;

/** An organization's plan and its effective caps. */
export const PlanSettings = t.Object({
  plan: Plan,
  weekly_platform_llm_quota: Cap,
  hourly_platform_llm_limit: Cap,
});
export type PlanSettings = Static<typeof PlanSettings>;

/** Contractual settings: the plan, and caps that override the plan's. */
export const PlanChoice = t.Object({
  plan: Plan,
  weekly_platform_llm_quota: t.Optional(Cap),
  hourly_platform_llm_limit: t.Optional(Cap),
});

export const GetPlan = defineRequest("quota.plans.get", {
  input: t.Object({ org_id: Uuid }),
  output: PlanSettings,
});

export const SetPlan = defineRequest("quota.plans.set", {
  input: t.Composite([t.Object({ org_id: Uuid }), PlanChoice]),
  output: PlanSettings,
});

/** Deletes everything of a deleted organization. */
export const PurgeQuota = defineRequest("quota.orgs.purge", {
  input: t.Object({ org_id: Uuid }),
  output: t.Object({}),
  timeoutMs: 300_000,
});
