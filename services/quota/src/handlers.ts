import { answer, type Endpoint } from "@leeway/shared/bus/answer";
import { healthOf } from "@leeway/shared/contracts/common";
import { GetPlan, PurgeQuota, SetPlan } from "@leeway/shared/contracts/quota";
import { isReady, type Platform } from "@leeway/shared/service";

import { planSettings } from "./domain/plan-caps.ts";
import { forgetPlan, getPlan, setPlan } from "./store/org-plans.ts";

/** Everything that the quota service answers. */
export function handlers(platform: Platform): Endpoint[] {
  const { database } = platform;
  return [
    answer(GetPlan, async ({ org_id: orgId }) => planSettings(await getPlan(database.org(orgId)))),
    answer(SetPlan, async ({ org_id: orgId, plan, ...caps }) => {
      const record = {
        plan,
        weeklyOverride: caps.weekly_platform_llm_quota ?? null,
        hourlyOverride: caps.hourly_platform_llm_limit ?? null,
      };
      await setPlan(database.org(orgId), record);
      return planSettings(record);
    }),
    answer(PurgeQuota, async ({ org_id: orgId }) => {
      await forgetPlan(database.org(orgId));
      return {};
    }),
    answer(healthOf("quota"), async () => ({ ready: await isReady(platform) })),
  ];
}
