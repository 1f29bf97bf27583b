import type { Input, Output } from "@leeway/shared/contract";
import type { CreateScan } from "@leeway/shared/contracts/inventory/scans";
import { AppError } from "@leeway/shared/errors";
import type { Platform } from "@leeway/shared/service";

import { connectedAccounts, isSwept } from "../../accounts/store.ts";
import { openAccount, type ConnectorDependencies } from "../../connectors/open-account.ts";
import { findAccount } from "../../accounts/accounts.ts";
import { openScan } from "../open-scan.ts";
import { findScan } from "../scans.ts";
import { offerScan } from "./offer-scan.ts";

type Request = Input<typeof CreateScan>;
export type RequestDependencies = Platform & ConnectorDependencies;

/**
 * Starts a scan that asks the cloud: of one account, or of every account with credentials that none is under way for.
 * @throws {AppError} `not_found`, `no_credentials`, `registry_not_configured`, `scan_in_progress`; `conflict` for the
 * drift of an account that was never scanned
 */
export async function requestScan(
  deps: RequestDependencies,
  request: Request,
): Promise<Output<typeof CreateScan>> {
  const { org_id, account_id } = request;
  const scanIds =
    account_id === undefined ? await startAll(deps, request) : [await start(deps, request, account_id)];
  const [first = "", ...others] = scanIds;
  const scan = await findScan(deps.database, org_id, first);
  for (const scanId of scanIds) void offerScan(deps, org_id, scanId);
  return { ...scan, ...(others.length > 0 && { also_started: others }) };
}

async function start(
  deps: RequestDependencies,
  { org_id, kind = "full", regions = [], requested_by, trigger }: Request,
  accountId: string,
): Promise<string> {
  const sql = deps.database.org(org_id);
  if (kind !== "drift") await openAccount(deps, org_id, accountId);
  else if (!(await isSwept(sql, (await findAccount(deps.database, org_id, accountId)).id)))
    throw new AppError("conflict", "the account has never been scanned: there is nothing to compare");
  return openScan(sql, {
    accountId,
    kind,
    trigger: trigger ?? (requested_by.type === "api_key" ? "api" : "manual"),
    regions,
    requestedBy: requested_by,
  });
}

/** One that can't be scanned now doesn't keep the others from it. */
async function startAll(deps: RequestDependencies, request: Request): Promise<string[]> {
  const { org_id } = request;
  const accountIds = await connectedAccounts(deps.database.org(org_id));
  const started: string[] = [];
  let refusal = new AppError(
    "no_credentials",
    `no account has credentials to scan with: push listings with PUT /api/v2/orgs/${org_id}/cloud-accounts/<id>/listing`,
  );
  for (const accountId of accountIds) {
    try {
      started.push(await start(deps, request, accountId));
    } catch (error) {
      if (!(error instanceof AppError) || error.code === "unavailable") throw error;
      refusal = error;
    }
  }
  if (started.length === 0) throw refusal;
  return started;
}
