import { Type as t, type Static } from "@sinclair/typebox";

import { defineRequest, words } from "../../contract.ts";
import { Uuid } from "../common.ts";

/** -1 unlimited, 0 hard-off, otherwise the cap. */
const Cap = t.Integer({ minimum: -1, maximum: 1_000_000 });

export const PLANS = ["free", "team", "enterprise"] as const;
export const Plan = words(PLANS);
export type Plan = Static<typeof Plan>;

/** An organization's plan with the caps that hold for it. */
export const PlanSettings = t.Object({
  plan: Plan,
  weekly_platform_llm_quota: Cap,
  hourly_platform_llm_limit: Cap,
});
export type PlanSettings = Static<typeof PlanSettings>;

/** What a contract sets: the plan, and caps of its own in place of the plan's. */
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

/** Forgets everything of an organization that is gone. */
export const PurgeQuota = defineRequest("quota.orgs.purge", {
  input: t.Object({ org_id: Uuid }),
  output: t.Object({}),
  timeoutMs: 300_000,
});
