import { answer, type Endpoint } from "@leeway/shared/bus/answer";
import { toItsEnd } from "@leeway/shared/context";
import { healthOf } from "@leeway/shared/contracts/common";
import { CreateCompletion } from "@leeway/shared/contracts/quota/completions";
import { DeleteLlmConfig, GetLlmConfig, PutLlmConfig } from "@leeway/shared/contracts/quota/llm-config";
import { GetPlan, PurgeQuota, SetPlan } from "@leeway/shared/contracts/quota/plans";
import { ConsumeSlot, ReleaseSlot, ReserveSlot } from "@leeway/shared/contracts/quota/slots";
import { GetUsage, GetUsageHistory } from "@leeway/shared/contracts/quota/usage";
import { present } from "@leeway/shared/json";
import { readinessOf, type Platform } from "@leeway/shared/service";

import { planSettings, usage } from "./domain/gates.ts";
import { findLlmConfig, putLlmConfig, removeLlmConfig } from "./llm-config/llm-config.ts";
import { deleteKey } from "./llm-config/store.ts";
import { denialOfKey } from "./model/own-key.ts";
import type { ModelDependencies } from "./model/start-models.ts";
import { getHistory } from "./store/history.ts";
import { forgetUsage, setPlan } from "./store/org-plans.ts";
import { consumeSlot, releaseSlot } from "./store/slots.ts";
import { getStanding } from "./store/standing.ts";
import type { Reserver } from "./usecases/reserver.ts";

/** What the quota service works with. */
export interface Dependencies extends Platform, ModelDependencies {
  reserver: Reserver;
}

/** Everything that the quota service answers. */
export function handlers(deps: Dependencies): Endpoint[] {
  const { database, hasPlatformModel } = deps;
  return [
    answer(healthOf("quota"), () => readinessOf(deps)),
    answer(GetPlan, async ({ org_id }) => planSettings(await getStanding(database.org(org_id)))),
    answer(SetPlan, async ({ org_id, ...choice }) => {
      const sql = database.org(org_id);
      await setPlan(sql, choice);
      return planSettings(await getStanding(sql));
    }),
    answer(PurgeQuota, async ({ org_id }) => {
      await deleteKey(database.org(org_id));
      await forgetUsage(database, org_id);
      return {};
    }),
    ...slotHandlers(deps),
    ...modelHandlers(deps),
    answer(GetUsage, async ({ org_id }) => {
      return usage(await getStanding(database.org(org_id)), hasPlatformModel);
    }),
    answer(GetUsageHistory, async ({ org_id, days }) => ({
      data: await getHistory(database.org(org_id), days),
    })),
  ];
}

function slotHandlers({ database, reserver }: Dependencies): Endpoint[] {
  return [
    // Ids in lower case, as the database gives them back.
    answer(ReserveSlot, async ({ org_id, job_id }) => {
      const orgId = org_id.toLowerCase();
      const reserved = await reserver.reserve({ orgId, jobId: job_id.toLowerCase() });
      if (!reserved.granted || reserved.source === "platform") return reserved;
      return (await denialOfKey(database, orgId)) ?? reserved;
    }),
    answer(ConsumeSlot, async ({ org_id, job_id }) =>
      present({ state: await consumeSlot(database.org(org_id), job_id) }),
    ),
    // Also for a caller that doesn't wait for it.
    answer(ReleaseSlot, async ({ org_id, job_id }) =>
      present({ state: await toItsEnd(() => releaseSlot(database.org(org_id), job_id)) }),
    ),
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
