import { answer, type Endpoint } from "@leeway/shared/bus/answer";
import { healthOf } from "@leeway/shared/contracts/common";
import { CreateCompletion } from "@leeway/shared/contracts/quota/completions";
import { DeleteLlmConfig, GetLlmConfig, PutLlmConfig } from "@leeway/shared/contracts/quota/llm-config";
import { GetPlan, PurgeQuota, SetPlan } from "@leeway/shared/contracts/quota";
import { isReady, type Platform } from "@leeway/shared/service";

import { planSettings } from "./domain/plan-caps.ts";
import { findLlmConfig, putLlmConfig, removeLlmConfig } from "./llm-config/llm-config.ts";
import { deleteKey } from "./llm-config/store.ts";
import type { ModelDependencies } from "./model/start-models.ts";
import { forgetPlan, getPlan, setPlan } from "./store/org-plans.ts";

/** What the quota service works with. */
export interface Dependencies extends Platform, ModelDependencies {}

/** Everything that the quota service answers. */
export function handlers(platform: Dependencies): Endpoint[] {
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
      await deleteKey(database.org(orgId));
      await forgetPlan(database.org(orgId));
      return {};
    }),
    ...modelHandlers(platform),
    answer(healthOf("quota"), async () => ({ ready: await isReady(platform) })),
  ];
}

function modelHandlers(deps: ModelDependencies): Endpoint[] {
  const { database, models } = deps;
  return [
    answer(PutLlmConfig, (input) => putLlmConfig(deps, input)),
    answer(GetLlmConfig, ({ org_id }) => findLlmConfig(database, org_id)),
    answer(DeleteLlmConfig, async ({ org_id }) => ({ provider: await removeLlmConfig(database, org_id) })),
    answer(CreateCompletion, (input) => models.complete(input)),
  ];
}
