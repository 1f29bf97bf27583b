import { expect, test } from "bun:test";

import { planSettings } from "./plan-caps.ts";

test.each([
  ["free", 5, -1],
  ["team", -1, 20],
  ["enterprise", -1, -1],
] as const)("the %s plan has a weekly cap of %d and an hourly one of %d", (plan, weekly, hourly) => {
  expect(planSettings({ plan, weeklyOverride: null, hourlyOverride: null })).toEqual({
    plan,
    weekly_platform_llm_quota: weekly,
    hourly_platform_llm_limit: hourly,
  });
});

test.each([-1, 0, 7])("a contract's cap of %d takes the place of the plan's", (cap) => {
  const settings = planSettings({ plan: "free", weeklyOverride: cap, hourlyOverride: cap });
  expect(settings).toMatchObject({ weekly_platform_llm_quota: cap, hourly_platform_llm_limit: cap });
});
