import { offer } from "@leeway/shared/bus/publish";
import type { Input, Output } from "@leeway/shared/contracts/contract";
import { ScanRequested, type CreateScan } from "@leeway/shared/contracts/inventory/scans";
import { derivedId } from "@leeway/shared/values/derived-id";
import { AppError } from "@leeway/shared/values/errors";
import type { Platform } from "@leeway/shared/service/service";

import { connectedAccounts, isSwept, sweptAccounts } from "../../accounts/store.ts";
import { audit } from "../../audit.ts";
import { openAccount, type ConnectorDependencies } from "../../accounts/open-account.ts";
import { findAccount } from "../../accounts/accounts.ts";
import { openScan } from "../open-scan.ts";
import { findScan } from "../scans.ts";
import { getScan, type NewScan } from "../store/scans.ts";

type Request = Input<typeof CreateScan>;
export type RequestDependencies = Platform & ConnectorDependencies;

/**
 * Starts a scan of one account, or of every account that can be scanned and has no open scan. Kind `drift` needs an
 * account that was scanned before; other kinds need credentials.
 * @throws {AppError} `not_found`, `no_credentials`, `registry_not_configured`, `scan_in_progress`; `conflict` for the
 * drift of an account that was never scanned
 */
export async function requestScan(
  deps: RequestDependencies,
  request: Request,
): Promise<Output<typeof CreateScan>> {
  const { org_id, account_id: accountId, scan_id: id = Bun.randomUUIDv7() } = request;
  const scanIds =
    accountId === undefined
      ? await startAll(deps, request, id)
      : [await start(deps, request, { id, accountId })];
  const [first = "", ...others] = scanIds;
  const scan = await findScan(deps.database, org_id, first);
  for (const scanId of scanIds) void offer(deps, ScanRequested, { org_id, scan_id: scanId });
  return { ...scan, ...(others.length > 0 && { also_started: others }) };
}

async function start(
  deps: RequestDependencies,
  { org_id, kind = "full", regions = [], requested_by, trigger }: Request,
  { id, accountId }: { id: string; accountId: string },
): Promise<string> {
  const sql = deps.database.org(org_id);
  if (kind !== "drift") await openAccount(deps, org_id, accountId);
  else if (!(await isSwept(sql, (await findAccount(deps.database, org_id, accountId)).id)))
    throw neverScanned("the account has never");
  if (await getScan(sql, id)) return id;
  const newScan: NewScan = {
    id,
    accountId,
    kind,
    trigger: trigger ?? (requested_by.type === "api_key" ? "api" : "manual"),
    regions,
    requestedBy: requested_by,
  };
  return deps.database.transaction(org_id, async (tx) => {
    const scanId = await openScan(tx, newScan);
    const details = { account_id: accountId, kind, trigger: newScan.trigger };
    await audit(tx, { action: "scan.create", targetId: scanId, details });
    return scanId;
  });
}

/** Starts a scan of each account. An account that can't be scanned now doesn't stop the others. */
async function startAll(deps: RequestDependencies, request: Request, id: string): Promise<string[]> {
  const { org_id, kind } = request;
  const sql = deps.database.org(org_id);
  const accountIds = await (kind === "drift" ? sweptAccounts(sql) : connectedAccounts(sql));
  const started: string[] = [];
  let refusal = kind === "drift" ? neverScanned("no account has ever") : noneConnected(org_id);
  for (const accountId of accountIds) {
    try {
      started.push(await start(deps, request, { id: derivedId(id, accountId), accountId }));
    } catch (error) {
      if (!(error instanceof AppError) || error.code === "unavailable") throw error;
      refusal = error;
    }
  }
  if (started.length === 0) throw refusal;
  return started;
}

function noneConnected(orgId: string): AppError {
  return new AppError(
    "no_credentials",
    `no account has credentials; add some, or push listings with PUT /api/v2/orgs/${orgId}/cloud-accounts/<id>/listing`,
  );
}

function neverScanned(whose: "the account has never" | "no account has ever"): AppError {
  return new AppError(
    "conflict",
    `${whose} been scanned, so there is nothing to compare; start a full scan first`,
  );
}
