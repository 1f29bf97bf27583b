import { call } from "@leeway/shared/bus/request";
import { FindCodeSources } from "@leeway/shared/contracts/inventory/sources";
import { repeat } from "@leeway/shared/platform/repeat";

import { publish } from "./publish.ts";
import type { CodeSource, SettleDependencies } from "./source.ts";
import { dueBranches, type DueBranch } from "./store.ts";

const EVERY_MS = 30_000;
/** Time after which a request is compared again with the decisions and the drift that is left. */
const PAUSE_SECONDS = 600;
const AT_MOST = 20;

/** Keeps open requests up to date: they follow the code, and close when their changes are gone. */
export function startRefreshing(deps: SettleDependencies): { stop: () => Promise<void> } {
  return repeat({ name: "settlements", everyMs: EVERY_MS, log: deps.log, work: () => refreshDue(deps) });
}

/** @param pauseSeconds only tests set it */
export async function refreshDue(deps: SettleDependencies, pauseSeconds = PAUSE_SECONDS): Promise<void> {
  for (const due of await dueBranches(deps.database.system, { pauseSeconds, atMost: AT_MOST })) {
    try {
      await publish(deps, due.org_id, await sourceOf(deps, due));
    } catch (error) {
      deps.log.warn({ error, org_id: due.org_id }, "a change request couldn't be updated");
    }
  }
}

/** Returns the source as it is now, or as its branch was opened if it has no code any more. */
export async function sourceOf(
  { bus }: SettleDependencies,
  { org_id, source_id: id, repository }: DueBranch,
): Promise<CodeSource> {
  const { sources } = await call(bus, FindCodeSources, { org_id, source_id: id });
  return sources[0] ?? { id, name: "the source", repository };
}
