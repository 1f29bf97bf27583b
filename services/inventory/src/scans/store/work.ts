import type { Scan, ScanError, ScanStats } from "@leeway/shared/contracts/inventory/scans";
import type { OrgStatements, Statements, Transaction } from "@leeway/shared/database/database";

import { columns, fromRow, type ScanRow } from "./scan-row.ts";

/** Takes a scan for the transaction that takes its listing over; false when it was canceled. */
export async function holdScan(tx: Transaction, scanId: string): Promise<boolean> {
  const [row] = await tx`
    select 1
      from inventory.scans
     where org_id = ${tx.orgId}
       and id = ${scanId}
       and status = 'running'
       for update
  `;
  return row !== undefined;
}

/** The listing is taken over: what is left is drift, to be told in `snapshotId`. */
export async function enterDrift(
  tx: Transaction,
  scanId: string,
  {
    stats,
    errors,
    format,
    snapshotId,
  }: {
    stats: ScanStats;
    errors: ScanError[];
    format: string | undefined;
    snapshotId: string;
  },
): Promise<Scan | undefined> {
  const [row] = await tx<ScanRow>`
    update inventory.scans
       set phase = 'drift', stats = ${tx.part.json(stats)}, errors = ${tx.part.json(errors)}, format = ${format ?? null},
           drift_snapshot_id = ${snapshotId}, touched_at = now()
     where org_id = ${tx.orgId}
       and id = ${scanId}
    returning ${columns(tx)}
  `;
  return row && fromRow(row);
}

/** The account whose drift a scan waits for; undefined when it doesn't. */
export async function awaitedDrift(sql: OrgStatements, scanId: string): Promise<string | undefined> {
  const [row] = await sql<{ account_id: string }>`
    update inventory.scans
       set touched_at = now()
     where org_id = ${sql.orgId}
       and id = ${scanId}
       and status = 'running'
       and phase = 'drift'
    returning account_id
  `;
  return row?.account_id;
}

/** Ends a scan whose drift is told. */
export async function finishScan(sql: OrgStatements, scanId: string): Promise<void> {
  await sql`
    update inventory.scans
       set status = case when errors = '[]' then 'succeeded' else 'partial' end, finished_at = now()
     where org_id = ${sql.orgId}
       and id = ${scanId}
       and status = 'running'
  `;
}

/** Ends a scan that can't go on. */
export async function failScan(sql: OrgStatements, scanId: string, error: ScanError): Promise<void> {
  await sql`
    update inventory.scans
       set status = 'failed', finished_at = now(), errors = errors || ${sql.part.json([error])}
     where org_id = ${sql.orgId}
       and id = ${scanId}
       and status in ('queued', 'running')
  `;
}

/** Scans of every organization on which nobody has worked for a while; each is given out once. */
export async function stalledScans(
  sql: Statements,
  olderThanSeconds: number,
): Promise<{ org_id: string; scan_id: string }[]> {
  return sql<{ org_id: string; scan_id: string }>`
    select org_id, scan_id from inventory.stalled_scans(make_interval(secs => ${olderThanSeconds}))
  `;
}
