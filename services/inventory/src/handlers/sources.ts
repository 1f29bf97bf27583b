import { answer, answerJson, type Endpoint } from "@leeway/shared/bus/answer";
import * as sources from "@leeway/shared/contracts/inventory/sources";
import { ExpectPlan, ReportPlan } from "@leeway/shared/contracts/inventory/plans";
import { AppError } from "@leeway/shared/values/errors";
import { pageOf } from "@leeway/shared/bus/pages";

import type { Dependencies } from "../dependencies.ts";
import { takePlan } from "../sources/take-plan.ts";
import { readState } from "../sources/backends/read-backend.ts";
import { pushState } from "../sources/push-state.ts";
import { addSource, changeSource, findSource, removeSource } from "../sources/sources.ts";
import { expectPlan } from "../sources/binding.ts";
import { placedSources } from "../sources/store/bindings.ts";
import { getDeclared, listDeclared } from "../sources/store/declared.ts";
import { listSources } from "../sources/store/sources.ts";

const json = (row: object): string => JSON.stringify(row);

export function sourceHandlers(deps: Dependencies): Endpoint[] {
  const { database, cursors } = deps;
  return [
    answer(sources.CreateSource, (input) => addSource(deps, input)),
    answer(sources.GetSource, ({ org_id, source_id }) => findSource(database, org_id, source_id)),
    answer(sources.UpdateSource, (input) => changeSource(deps, input)),
    answer(sources.DeleteSource, async (input) => {
      await removeSource(deps, input);
      return {};
    }),
    answer(sources.FindCodeSources, async ({ org_id, source_id: id, paths }) => ({
      sources: await placedSources(database.org(org_id), { id, paths }),
    })),
    answer(sources.PushState, (input) => pushState(deps, input)),
    answer(sources.ReadState, (input) => readState(deps, input)),
    answer(ExpectPlan, (input) => expectPlan(database, input)),
    answer(ReportPlan, (input) => takePlan(deps, input)),
    answerJson(sources.ListSources, (input) =>
      pageOf(cursors, "iac-sources", input, {
        fetch: ({ from, limit }) =>
          listSources(database.org(input.org_id), { accountId: input.account_id }, { after: from, limit }),
        json,
      }),
    ),
    answer(sources.GetIacResource, async ({ org_id, resource_id }) => {
      const resource = await getDeclared(database.org(org_id), resource_id);
      if (!resource) throw new AppError("not_found", "the declared resource doesn't exist");
      return resource;
    }),
    answerJson(sources.ListIacResources, (input) => {
      const { source_id, account_id, type, match } = input;
      const filter = { sourceId: source_id, accountId: account_id, type, match };
      return pageOf(cursors, "iac-resources", input, {
        fetch: ({ from, limit }) => listDeclared(database.org(input.org_id), filter, { after: from, limit }),
        json,
      });
    }),
  ];
}
