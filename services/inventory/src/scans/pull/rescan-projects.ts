import type { Input, Output } from "@leeway/shared/contracts/contract";
import type { RescanProjects } from "@leeway/shared/contracts/inventory/scans";
import { AppError } from "@leeway/shared/values/errors";

import { accountsOfSources, connectedAccounts } from "../../accounts/store.ts";
import { requestScan, type RequestDependencies } from "./request-scan.ts";

/**
 * Scans the accounts of projects: those of IaC sources with these names that aren't bound to another repository. If
 * no source has such a name, scans the account with credentials, if there is only one.
 */
export async function rescanProjects(
  deps: RequestDependencies,
  { org_id, requested_by, project_names, repository }: Input<typeof RescanProjects>,
): Promise<Output<typeof RescanProjects>> {
  const sql = deps.database.org(org_id);
  const named = await accountsOfSources(sql, project_names, repository);
  const known = named.length > 0 ? named : await accountsOfSources(sql, project_names);
  const connected = known.length > 0 ? [] : await connectedAccounts(sql);
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
