import type { Input, Output } from "@leeway/shared/contract";
import type { RescanProjects } from "@leeway/shared/contracts/inventory/scans";
import { AppError } from "@leeway/shared/errors";

import { accountsOfSources, connectedAccounts } from "../../accounts/store.ts";
import { requestScan, type RequestDependencies } from "./request-scan.ts";

/**
 * Scans the accounts that projects are about: those of IaC sources of that name, else the only one that can be scanned
 * by itself; none when it isn't known.
 */
export async function rescanProjects(
  deps: RequestDependencies,
  { org_id, requested_by, project_names }: Input<typeof RescanProjects>,
): Promise<Output<typeof RescanProjects>> {
  const sql = deps.database.org(org_id);
  const named = await accountsOfSources(sql, project_names);
  const connected = named.length > 0 ? [] : await connectedAccounts(sql);
  const accountIds = connected.length === 1 ? connected : named;
  const rescan = async (account_id: string) => {
    try {
      const { id } = await requestScan(deps, { org_id, account_id, requested_by, trigger: "webhook" });
      return { account_id, scan_id: id };
    } catch (error) {
      if (!(error instanceof AppError) || error.code === "unavailable") throw error;
      return { account_id, refusal: error.message };
    }
  };
  return { accounts: await Promise.all(accountIds.map(rescan)) };
}
