import { answer, answerJson, type Endpoint } from "@leeway/shared/bus/answer";
import * as accounts from "@leeway/shared/contracts/inventory/accounts";
import { CreateAdoption } from "@leeway/shared/contracts/inventory/adoptions";
import { ListIdentityKeys } from "@leeway/shared/contracts/inventory/identity-keys";
import * as posture from "@leeway/shared/contracts/inventory/posture";
import * as resources from "@leeway/shared/contracts/inventory/resources";
import { ListTypes } from "@leeway/shared/contracts/inventory/types";
import { pageOf, readyPage, wholeList } from "@leeway/shared/bus/pages";

import { accessPolicy } from "../accounts/access-policy.ts";
import { verifyAccount } from "../accounts/verify-account.ts";
import { adoptResources } from "../adoptions/adopt-resources.ts";
import type { Dependencies } from "../dependencies.ts";
import { enrichResource } from "../enrichment/enrich-resource.ts";
import { listRules, setRule } from "../exclusions/exclusions.ts";
import { listPosture, listTrend } from "../posture/store.ts";
import { getResource } from "../resources/get-resource.ts";
import { groupResources } from "../resources/groups.ts";
import { resourceFilter } from "../resources/resource-filter.ts";
import { countFound, findPage } from "../resources/search.ts";
import { listTypes } from "../resource-types/list-types.ts";

/** Requests that ask the clouds themselves. */
export function cloudHandlers(deps: Dependencies): Endpoint[] {
  return [
    answer(accounts.GetAccessPolicy, (input) => accessPolicy(deps, input)),
    answer(ListIdentityKeys, async () => ({ keys: await deps.signingKeys.published() })),
    answer(accounts.VerifyAccount, (input) => verifyAccount(deps, input)),
    answerJson(resources.EnrichResource, async (input) => ({ json: await enrichResource(deps, input) })),
  ];
}

export function readHandlers(deps: Dependencies): Endpoint[] {
  const { database, cursors } = deps;
  return [
    answerJson(resources.ListResources, (input) => {
      const sql = database.org(input.org_id);
      const filter = resourceFilter(input);
      const { total, ...request } = input;
      return readyPage(cursors, "resources", request, {
        fetch: ({ from, limit }) => findPage(sql, filter, { after: from, limit }),
        ...(total && {
          extra: async () => {
            const count = await countFound(sql, filter);
            return count === undefined ? "" : `,"total_count":${count}`;
          },
        }),
      });
    }),
    answer(resources.GroupResources, (input) =>
      groupResources(database.org(input.org_id), input.by ?? "type", resourceFilter(input)),
    ),
    answerJson(resources.GetResource, async (input) => ({
      json: await getResource(database.org(input.org_id), input),
    })),
    answerJson(CreateAdoption, async (input) => ({ json: await adoptResources(database, input) })),
    answerJson(ListTypes, (input) =>
      pageOf(cursors, "types", input, {
        fetch: ({ from, limit }) => listTypes(database.org(input.org_id), { after: from, limit }),
        json: (row) => JSON.stringify({ ...row, id: undefined }),
      }),
    ),
    answerJson(posture.GetPosture, async ({ org_id }) => wholeList(await listPosture(database.org(org_id)))),
    answerJson(posture.GetTrend, async ({ org_id, account_id, days }) =>
      wholeList(await listTrend(database.org(org_id), { accountId: account_id, days })),
    ),
    answerJson(posture.ListExclusionRules, async ({ org_id }) =>
      wholeList(await listRules(database, org_id)),
    ),
    answer(posture.SwitchExclusionRule, (input) => setRule(deps, input)),
  ];
}
