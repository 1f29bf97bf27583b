import type { Input } from "@leeway/shared/contract";
import type { CancelScan, Scan } from "@leeway/shared/contracts/inventory/scans";
import type { Database } from "@leeway/shared/database/database";
import { AppError } from "@leeway/shared/errors";

import { cancelScan, getScan } from "./store/scans.ts";

/** @throws {AppError} `not_found` */
export async function findScan(database: Database, orgId: string, scanId: string): Promise<Scan> {
  const scan = await getScan(database.org(orgId), scanId);
  if (!scan) throw new AppError("not_found", "no such scan");
  return scan;
}

/** Others hold a scan for a moment, to write down what they have seen. */
const PATIENCE = { tries: 20, everyMs: 50 };

/** @throws {AppError} `not_found`, `not_cancelable` */
export async function callOffScan(
  database: Database,
  { org_id, scan_id }: Input<typeof CancelScan>,
): Promise<Scan> {
  const sql = database.org(org_id);
  for (let tries = 0; tries < PATIENCE.tries; tries += 1) {
    const canceled = await cancelScan(sql, scan_id);
    if (canceled) return canceled;
    const { finished_at, phase } = await findScan(database, org_id, scan_id);
    if (finished_at !== undefined || phase === "drift") break;
    await Bun.sleep(PATIENCE.everyMs);
  }
  throw new AppError("not_cancelable", "the scan has ended, or what it has found is taken over already");
}
