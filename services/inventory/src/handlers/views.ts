import { answer, type Endpoint } from "@leeway/shared/bus/answer";
import * as contracts from "@leeway/shared/contracts/inventory/views";

import type { Dependencies } from "../dependencies.ts";
import { listViews } from "../views/store.ts";
import { addView, changeView, checkForChannel, removeView } from "../views/views.ts";

export function viewHandlers(deps: Dependencies): Endpoint[] {
  const { database } = deps;
  return [
    answer(contracts.ListViews, async ({ org_id, caller, page }) => ({
      data: await listViews(database.org(org_id), caller, page),
    })),
    answer(contracts.CreateView, (input) => addView(database, input)),
    answer(contracts.UpdateView, (input) => changeView(deps, input)),
    answer(contracts.DeleteView, async (input) => {
      await removeView(deps, input);
      return {};
    }),
    answer(contracts.CheckView, async (input) => {
      await checkForChannel(database, input);
      return {};
    }),
  ];
}
