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

/** @throws {AppError} `not_found`, `not_cancelable` */
export async function callOffScan(
  database: Database,
  { org_id, scan_id }: Input<typeof CancelScan>,
): Promise<Scan> {
  const sql = database.org(org_id);
  const canceled = await cancelScan(sql, scan_id);
  if (canceled) return canceled;
  if (!(await getScan(sql, scan_id))) throw new AppError("not_found", "no such scan");
  throw new AppError("not_cancelable", "the scan has ended, or is being taken over right now");
}
