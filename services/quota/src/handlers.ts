import { answer, type Endpoint } from "@leeway/shared/bus/answer";
import { toItsEnd } from "@leeway/shared/platform/context";
import { healthOf } from "@leeway/shared/contracts/common";
import { CreateCompletion } from "@leeway/shared/contracts/quota/completions";
import { DeleteLlmConfig, GetLlmConfig, PutLlmConfig } from "@leeway/shared/contracts/quota/llm-config";
import { GetPlan, PurgeQuota, SetPlan } from "@leeway/shared/contracts/quota/plans";
import { ConsumeSlot, ReleaseSlot, ReserveSlot } from "@leeway/shared/contracts/quota/slots";
import { GetUsage, GetUsageHistory } from "@leeway/shared/contracts/quota/usage";
import { present } from "@leeway/shared/values/json";
import { readinessOf, type Platform } from "@leeway/shared/service/service";

import { audit } from "./audit.ts";
import { planSettings, usage } from "./slots/gates.ts";
import { findLlmConfig, putLlmConfig, removeLlmConfig } from "./llm-config/llm-config.ts";
import { deleteKey } from "./llm-config/store.ts";
import { denialOfKey } from "./llm-config/own-key.ts";
import type { ModelDependencies } from "./completions/start-models.ts";
import { getHistory } from "./usage/store.ts";
import { forgetUsage, setPlan } from "./plans/store.ts";
import { consumeSlot, releaseSlot } from "./slots/store/slots.ts";
import { getStanding } from "./slots/store/standing.ts";
import type { Reserver } from "./slots/reserver.ts";

/** Dependencies of the quota service's handlers. */
export interface Dependencies extends Platform, ModelDependencies {
  reserver: Reserver;
}

/** Returns all endpoints of the quota service. */
export function handlers(deps: Dependencies): Endpoint[] {
  const { database, hasPlatformModel } = deps;
  return [
    answer(healthOf("quota"), () => readinessOf(deps)),
    answer(GetPlan, async ({ org_id }) => planSettings(await getStanding(database.org(org_id)))),
    answer(SetPlan, async ({ org_id, ...choice }) => {
      return database.transaction(org_id, async (tx) => {
        await setPlan(tx, choice);
        const settings = planSettings(await getStanding(tx));
        await audit(tx, { action: "organization.set_plan", targetId: org_id, details: settings });
        return settings;
      });
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
    // The database returns ids in lower case.
    answer(ReserveSlot, async ({ org_id, job_id }) => {
      const orgId = org_id.toLowerCase();
      const reserved = await reserver.reserve({ orgId, jobId: job_id.toLowerCase() });
      if (!reserved.granted || reserved.source === "platform") return reserved;
      return (await denialOfKey(database, orgId)) ?? reserved;
    }),
    answer(ConsumeSlot, async ({ org_id, job_id }) =>
      present({ state: await consumeSlot(database.org(org_id), job_id) }),
    ),
    // Completes even if the caller doesn't wait.
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
