import type { OrgStatements } from "@leeway/shared/database/database";
import { AppError } from "@leeway/shared/errors";

import { getScan, insertScan, openScanOf, type NewScan } from "./store/scans.ts";

/**
 * Opens a scan of an account that is there: one that is pushed is read from now on, any other waits for a worker.
 * @returns its id
 * @throws {AppError} `scan_in_progress` with the `scan_id` of the one that is open
 */
export async function openScan(sql: OrgStatements, scan: NewScan): Promise<string> {
  const opened = await insertScan(sql, scan);
  if (opened !== undefined) return opened;
  if (scan.id !== undefined && (await getScan(sql, scan.id))) return scan.id;
  const open = await openScanOf(sql, scan.accountId);
  throw new AppError("scan_in_progress", "another scan of this account is under way", {
    ...(open !== undefined && { fields: { scan_id: open } }),
  });
}
