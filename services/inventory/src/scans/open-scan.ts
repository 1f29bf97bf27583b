import type { OrgStatements } from "@leeway/shared/database/database";
import { AppError } from "@leeway/shared/values/errors";

import { getScan, insertScan, openScanOf, type NewScan } from "./store/scans.ts";

/**
 * Opens a scan of an existing account. A pushed one is running at once; any other one is queued for a worker.
 * @returns the id of the scan
 * @throws {AppError} `scan_in_progress` with the `scan_id` of the open scan
 */
export async function openScan(sql: OrgStatements, scan: NewScan): Promise<string> {
  const opened = await insertScan(sql, scan);
  if (opened !== undefined) return opened;
  if (scan.id !== undefined && (await getScan(sql, scan.id))) return scan.id;
  const open = await openScanOf(sql, scan.accountId);
  throw new AppError(
    "scan_in_progress",
    "another scan of this account is in progress; retry when it has ended",
    {
      ...(open !== undefined && { fields: { scan_id: open } }),
    },
  );
}
