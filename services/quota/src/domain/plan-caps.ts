import type { Plan, PlanSettings } from "@leeway/shared/contracts/quota";

/** -1 unlimited, 0 hard-off, otherwise the cap. */
interface Caps {
  weekly: number;
  hourly: number;
}

const CAPS: Readonly<Record<Plan, Caps>> = {
  free: { weekly: 5, hourly: -1 },
  team: { weekly: -1, hourly: 20 },
  enterprise: { weekly: -1, hourly: -1 },
};

/** A plan with what a contract sets in place of the plan's caps; null is nothing. */
export interface PlanRecord {
  plan: Plan;
  weeklyOverride: number | null;
  hourlyOverride: number | null;
}

/** The caps that hold: those of the contract, else of the plan. */
export function planSettings({ plan, weeklyOverride, hourlyOverride }: PlanRecord): PlanSettings {
  return {
    plan,
    weekly_platform_llm_quota: weeklyOverride ?? CAPS[plan].weekly,
    hourly_platform_llm_limit: hourlyOverride ?? CAPS[plan].hourly,
  };
}
