import type { Input } from "@leeway/shared/contracts/contract";
import type { CancelScan, Scan } from "@leeway/shared/contracts/inventory/scans";
import type { Database } from "@leeway/shared/database/database";
import { AppError } from "@leeway/shared/values/errors";

import { audit } from "../audit.ts";
import { cancelScan, getScan } from "./store/scans.ts";

/** @throws {AppError} `not_found` */
export async function findScan(database: Database, orgId: string, scanId: string): Promise<Scan> {
  const scan = await getScan(database.org(orgId), scanId);
  if (!scan) throw new AppError("not_found", "the scan doesn't exist");
  return scan;
}

/** Retries of a cancellation, because others lock a scan briefly to store its progress. */
const PATIENCE = { tries: 20, everyMs: 50 };

/** @throws {AppError} `not_found`, `not_cancelable` */
export async function callOffScan(
  database: Database,
  { org_id, scan_id }: Input<typeof CancelScan>,
): Promise<Scan> {
  for (let tries = 0; tries < PATIENCE.tries; tries += 1) {
    const canceled = await database.transaction(org_id, async (tx) => {
      const canceled = await cancelScan(tx, scan_id);
      if (canceled) await audit(tx, { action: "scan.cancel", targetId: scan_id });
      return canceled;
    });
    if (canceled) return canceled;
    const { finished_at, phase } = await findScan(database, org_id, scan_id);
    if (finished_at !== undefined || phase === "drift") break;
    await Bun.sleep(PATIENCE.everyMs);
  }
  throw new AppError("not_cancelable", "the scan has already ended or stored its result");
}
