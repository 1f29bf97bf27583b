import { answer, answerJson, type Endpoint } from "@leeway/shared/bus/answer";
import {
  GetJob,
  ListJobs,
  ListPlanChanges,
  NarrateSnapshot,
  PurgeAnalyzer,
  SubmitPlan,
} from "@leeway/shared/contracts/analyzer/jobs";
import {
  ChangeNoise,
  FixNoise,
  GetNoise,
  GetSettings,
  ListNoise,
  UpdateSettings,
} from "@leeway/shared/contracts/analyzer/noise";
import { FindDeclaration, ListChangingPlans } from "@leeway/shared/contracts/analyzer/places";
import {
  GetSettlement,
  SettleChange,
  SettleMany,
  WithdrawSettlement,
} from "@leeway/shared/contracts/analyzer/settlements";
import { healthOf } from "@leeway/shared/contracts/common";
import type { Cursors } from "@leeway/shared/security/cursor";
import { AppError } from "@leeway/shared/values/errors";
import { pageOf } from "@leeway/shared/bus/pages";
import { readinessOf, type Platform } from "@leeway/shared/service/service";

import { fixNoise } from "./fixes/fix-noise.ts";
import type { EndedJobs } from "./jobs/ended.ts";
import { getJob } from "./jobs/get-job.ts";
import { forgetOrganization } from "./jobs/store/jobs.ts";
import { listJobs } from "./jobs/store/shown-jobs.ts";
import { changeNoise } from "./noise/change-noise.ts";
import { getNoise, listNoise } from "./noise/store.ts";
import { listPlanChanges } from "./plans/list-changes.ts";
import { submitPlan, type SubmitDependencies } from "./plans/submit-plan.ts";
import { changingPlans } from "./reviews/changing-plans.ts";
import { findSettings, updateSettings } from "./settings/settings.ts";
import { findDeclaration, requireChange } from "./settlements/declaration.ts";
import { findSettlement } from "./settlements/find-settlement.ts";
import { settleChange } from "./settlements/settle-change.ts";
import { settleMany } from "./settlements/settle-many.ts";
import type { SettleDependencies } from "./settlements/source.ts";
import { withdrawSettlement } from "./settlements/withdraw.ts";
import { narrateSnapshot } from "./snapshots/narrate-snapshot.ts";

/** Dependencies of the analyzer's handlers. */
export interface Dependencies extends Platform, SubmitDependencies, SettleDependencies {
  ended: EndedJobs;
  cursors: Cursors;
}

/** Returns every endpoint of the analyzer. */
export function handlers(deps: Dependencies): Endpoint[] {
  const { database, cursors } = deps;
  return [
    answer(healthOf("analyzer"), () => readinessOf(deps)),
    answer(SubmitPlan, (input) => submitPlan(deps, input)),
    answerJson(GetJob, (input) => getJob(deps, input)),
    answerJson(ListJobs, (input) =>
      pageOf(cursors, "llm_jobs", input, {
        fetch: ({ from: before, limit }) => {
          const filters = { kind: input.kind, status: input.status, ref: input.ref, q: input.q };
          return listJobs(database.org(input.org_id), filters, { before, limit });
        },
        json: (job) => JSON.stringify(job),
      }),
    ),
    answer(ListPlanChanges, (input) => listPlanChanges(deps, input)),
    answer(NarrateSnapshot, (input) => narrateSnapshot(deps, input)),
    answer(PurgeAnalyzer, async ({ org_id }) => {
      await forgetOrganization(database, org_id);
      return {};
    }),
    ...noiseHandlers(deps),
    answer(SettleChange, (input) => settleChange(deps, input)),
    answer(SettleMany, (input) => settleMany(deps, input)),
    answer(GetSettlement, ({ org_id, fingerprint }) => findSettlement(database.org(org_id), fingerprint)),
    answer(WithdrawSettlement, (input) => withdrawSettlement(deps, input)),
    answer(FindDeclaration, (input) => findDeclaration(deps, input)),
    answer(ListChangingPlans, async (input) => {
      const { change, source } = await requireChange(deps, input);
      const { address } = change;
      if (!source || address === undefined) return { data: [] };
      return { data: await changingPlans(database.org(input.org_id), { address, source }) };
    }),
    answer(GetSettings, ({ org_id }) => findSettings(deps, org_id)),
    answer(UpdateSettings, (input) => updateSettings(deps, input)),
  ];
}

function noiseHandlers(deps: Dependencies): Endpoint[] {
  const { database, cursors } = deps;
  return [
    answerJson(ListNoise, (input) =>
      pageOf(cursors, "plan_noise", input, {
        fetch: async ({ from, limit }) => {
          const filters = { class: input.class, status: input.status };
          const page = await listNoise(database.org(input.org_id), filters, { after: from, limit });
          return page.map((noise) => ({ ...noise, id: noise.fingerprint }));
        },
        json: ({ id: _id, ...noise }) => JSON.stringify(noise),
      }),
    ),
    answer(GetNoise, async ({ org_id, fingerprint }) => {
      const noise = await getNoise(database.org(org_id), fingerprint);
      if (!noise) throw new AppError("not_found", "no plan noise has this fingerprint");
      return noise;
    }),
    answer(ChangeNoise, (input) => changeNoise(database, input)),
    answer(FixNoise, (input) => fixNoise(deps, input)),
  ];
}
