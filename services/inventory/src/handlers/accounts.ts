import { answer, answerJson, type Endpoint } from "@leeway/shared/bus/answer";
import { healthOf } from "@leeway/shared/contracts/common";
import * as accounts from "@leeway/shared/contracts/inventory/accounts";
import { readinessOf } from "@leeway/shared/service/service";
import { pageOf } from "@leeway/shared/bus/pages";

import { addAccount, changeAccount, findAccount, removeAccount } from "../accounts/accounts.ts";
import { purge } from "../accounts/purge.ts";
import { listAccounts } from "../accounts/store.ts";
import type { Dependencies } from "../dependencies.ts";

const json = (row: object): string => JSON.stringify(row);

export function accountHandlers(deps: Dependencies): Endpoint[] {
  const { database, cursors } = deps;
  return [
    answer(healthOf("inventory"), () => readinessOf(deps)),
    answer(accounts.CreateAccount, (input) => addAccount(deps, input)),
    answer(accounts.GetAccount, ({ org_id, account_id }) => findAccount(database, org_id, account_id)),
    answer(accounts.UpdateAccount, (input) => changeAccount(deps, input)),
    answer(accounts.DeleteAccount, async ({ org_id, account_id }) => {
      await removeAccount(deps, org_id, account_id);
      return {};
    }),
    answer(accounts.PurgeInventory, async ({ org_id }) => {
      await purge(database, org_id);
      return {};
    }),
    answerJson(accounts.ListAccounts, (input) =>
      pageOf(cursors, "cloud-accounts", input, {
        fetch: ({ from, limit }) =>
          listAccounts(database.org(input.org_id), { provider: input.provider }, { after: from, limit }),
        json,
      }),
    ),
  ];
}
