import type { Waiting } from "@leeway/shared/platform/telemetry/backlog";
import type { Scan, ScanError, ScanStats } from "@leeway/shared/contracts/inventory/scans";
import type { OrgStatements, Statements, Transaction } from "@leeway/shared/database/database";

import { columns, fromRow, type ScanRow } from "./scan-row.ts";

/** A scan, and its worker if it has one. */
export interface Held {
  scanId: string;
  worker?: string;
}

/** Locks a scan for the transaction that stores its listing; false if it was canceled or has another worker. */
export async function holdScan(tx: Transaction, { scanId, worker }: Held): Promise<boolean> {
  const [row] = await tx`
    select 1
      from inventory.scans
     where org_id = ${tx.orgId}
       and id = ${scanId}
       and status = 'running'
       and worker is not distinct from ${worker ?? null}::uuid
       for update
  `;
  return row !== undefined;
}

/**
 * Ends the match phase, once the listing is stored. The drift of `snapshotId` comes next; without one the scan ends.
 */
export async function endMatch(
  tx: Transaction,
  scanId: string,
  {
    stats,
    errors,
    format,
    snapshotId,
  }: {
    stats: ScanStats;
    errors: readonly ScanError[];
    format: string | undefined;
    snapshotId: string | undefined;
  },
): Promise<Scan | undefined> {
  const ended = errors.length === 0 ? "succeeded" : "partial";
  const [row] = await tx<ScanRow>`
    update inventory.scans
       set stats = ${tx.part.json(stats)}, errors = ${tx.part.json(errors)}, format = ${format ?? null}, worker = null,
           touched_at = now(), drift_snapshot_id = ${snapshotId ?? null},
           phase = ${snapshotId === undefined ? "match" : "drift"},
           status = ${snapshotId === undefined ? ended : "running"},
           finished_at = ${snapshotId === undefined ? tx.part`now()` : tx.part`null`}
     where org_id = ${tx.orgId}
       and id = ${scanId}
    returning ${columns(tx)}
  `;
  return row && fromRow(row);
}

/** Sends a heartbeat for a scan in its drift phase. @returns its account; undefined if the scan isn't in that phase */
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

/** Adds errors to a running scan. */
export async function addErrors(
  sql: OrgStatements,
  scanId: string,
  errors: readonly ScanError[],
): Promise<void> {
  if (errors.length === 0) return;
  await sql`
    update inventory.scans
       set errors = errors || ${sql.part.json(errors)}
     where org_id = ${sql.orgId}
       and id = ${scanId}
       and status = 'running'
  `;
}

/** Ends a scan whose drift is computed. */
export async function finishScan(sql: OrgStatements, scanId: string): Promise<void> {
  await sql`
    update inventory.scans
       set status = case when errors = '[]' then 'succeeded' else 'partial' end, finished_at = now()
     where org_id = ${sql.orgId}
       and id = ${scanId}
       and status = 'running'
  `;
}

/** Fails a scan that can't go on. @returns whether it was still open */
export async function failScan(
  sql: OrgStatements,
  { scanId, worker }: Held,
  { errors, stats = {} }: { errors: readonly ScanError[]; stats?: ScanStats },
): Promise<boolean> {
  const failed = await sql`
    update inventory.scans
       set status = 'failed', finished_at = now(), errors = errors || ${sql.part.json(errors)},
           stats = stats || ${sql.part.json(stats)}
     where org_id = ${sql.orgId}
       and id = ${scanId}
       and status in ('queued', 'running')
       and (${worker ?? null}::uuid is null or worker = ${worker ?? null})
  `;
  return failed.count > 0;
}

/** Returns scans of all organizations without recent heartbeats, each once. */
export async function stalledScans(
  sql: Statements,
  olderThanSeconds: number,
): Promise<{ org_id: string; scan_id: string }[]> {
  return sql<{ org_id: string; scan_id: string }>`
    select org_id, scan_id from inventory.stalled_scans(make_interval(secs => ${olderThanSeconds}))
  `;
}

/** Returns the numbers of waiting and running scans of all organizations. */
export async function backlog(sql: Statements): Promise<Waiting[]> {
  return sql<Waiting>`select queue, waiting, oldest_seconds from inventory.backlog()`;
}
