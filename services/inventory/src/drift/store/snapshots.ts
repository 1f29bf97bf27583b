import type { DriftSnapshot } from "@leeway/shared/contracts/inventory/posture";
import { present } from "@leeway/shared/values/json";
import type { OrgStatements, Row, Statements, Transaction } from "@leeway/shared/database/database";

import { type CountColumns, countsOf, coverageAndRiskOf, type RiskColumns } from "../counts.ts";

interface SnapshotRow extends Row, CountColumns, RiskColumns {
  id: string;
  cloud_account_id: string;
  scan_id: string | null;
  changed_count: number;
  hidden_count: number;
  status: DriftSnapshot["status"];
  error_code: string | null;
  error_message: string | null;
  narrative: DriftSnapshot["narrative"] | null;
  created_at: Date;
}

const columns = (sql: Statements) => sql.part`
  id, cloud_account_id, scan_id, status, error_code, error_message, live_count, matched_count, undeclared_count,
  unchecked_count, excluded_count, missing_count, changed_count, hidden_count, coverage_pct, coverage_reliable, risk_level, critical_count,
  high_count, medium_count, low_count, undeclared_critical_count, undeclared_high_count, undeclared_medium_count,
  undeclared_low_count, narrative, created_at
`;

function fromRow(row: SnapshotRow): DriftSnapshot {
  return {
    id: row.id,
    cloud_account_id: row.cloud_account_id,
    ...(row.scan_id !== null && { scan_id: row.scan_id }),
    status: row.status,
    ...(row.error_code !== null && { error: { code: row.error_code, message: row.error_message ?? "" } }),
    ...countsOf(row),
    changed_count: row.changed_count,
    hidden_count: row.hidden_count,
    ...(row.status !== "pending" && coverageAndRiskOf(row)),
    ...present({ narrative: row.narrative }),
    created_at: row.created_at.toISOString(),
  };
}

/**
 * Opens a snapshot, for which drift will be computed from the account's current state. The ids of an account's
 * snapshots are in the order of opening, even if clocks differ. The caller holds `lockMatching`.
 */
export async function openSnapshot(
  tx: Transaction,
  { accountId, scanId }: { accountId: string; scanId: string | undefined },
): Promise<string> {
  const [latest] = await tx<{ id: string }>`
    select id
      from inventory.drift_snapshots
     where org_id = ${tx.orgId}
       and cloud_account_id = ${accountId}
     order by id desc
     limit 1
  `;
  const id = Bun.randomUUIDv7("hex", Math.max(Date.now(), latest ? momentOf(latest.id) + 1 : 0));
  await tx`
    insert into inventory.drift_snapshots (org_id, id, cloud_account_id, scan_id, status)
    values (${tx.orgId}, ${id}, ${accountId}, ${scanId ?? null}, 'pending')
  `;
  return id;
}

/** Returns the timestamp of a UUIDv7, in ms since 1970. */
function momentOf(id: string): number {
  return Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16);
}

/** Returns accounts with pending snapshots that don't wait for a scan. */
export async function accountsWithoutScan(sql: OrgStatements): Promise<string[]> {
  const rows = await sql<{ cloud_account_id: string }>`
    select distinct cloud_account_id
      from inventory.drift_snapshots
     where org_id = ${sql.orgId}
       and status = 'pending'
       and scan_id is null
  `;
  return rows.map((row) => row.cloud_account_id);
}

/** Returns an account's pending snapshots, oldest first. */
export async function pendingSnapshots(sql: OrgStatements, accountId: string): Promise<string[]> {
  const rows = await sql<{ id: string }>`
    select id
      from inventory.drift_snapshots
     where org_id = ${sql.orgId}
       and cloud_account_id = ${accountId}
       and status = 'pending'
     order by id
  `;
  return rows.map(({ id }) => id);
}

/** Records that a snapshot has new changes, for which a narrative may be requested. */
export async function noteWordless(tx: Transaction, snapshotId: string): Promise<void> {
  await tx`update inventory.drift_snapshots set wordless = true where org_id = ${tx.orgId} and id = ${snapshotId}`;
}

/** Returns an account's snapshots without a requested narrative, oldest first. */
export async function wordlessSnapshots(sql: OrgStatements, accountId: string): Promise<string[]> {
  const rows = await sql<{ id: string }>`
    select id
      from inventory.drift_snapshots
     where org_id = ${sql.orgId}
       and cloud_account_id = ${accountId}
       and wordless
     order by id
  `;
  return rows.map(({ id }) => id);
}

export async function noteAsked(sql: OrgStatements, snapshotId: string): Promise<void> {
  await sql`update inventory.drift_snapshots set wordless = false where org_id = ${sql.orgId} and id = ${snapshotId}`;
}

/** Records that drift couldn't be computed. The snapshots stay empty. */
export async function failSnapshots(
  sql: OrgStatements,
  snapshotIds: readonly string[],
  error: { code: string; message: string },
): Promise<void> {
  await sql`
    update inventory.drift_snapshots
       set status = 'error', error_code = ${error.code}, error_message = ${error.message}, finished_at = now()
     where org_id = ${sql.orgId}
       and id = any (${[...snapshotIds]}::uuid[])
       and status = 'pending'
  `;
}

export async function getSnapshot(
  sql: OrgStatements,
  snapshotId: string,
): Promise<DriftSnapshot | undefined> {
  const [row] = await sql<SnapshotRow>`
    select ${columns(sql)}
      from inventory.drift_snapshots
     where org_id = ${sql.orgId}
       and id = ${snapshotId}
  `;
  return row && fromRow(row);
}

/**
 * Stores a snapshot's narrative. An existing text stays until there is another. @returns whether the snapshot exists
 */
export async function noteNarrative(
  sql: OrgStatements,
  snapshotId: string,
  narrative: NonNullable<DriftSnapshot["narrative"]>,
): Promise<boolean> {
  const noted = await sql`
    update inventory.drift_snapshots
       set narrative = case
             when ${narrative.text !== undefined} then ${sql.part.json(narrative)}
             else coalesce(narrative, '{}') || ${sql.part.json(narrative)}
           end
     where org_id = ${sql.orgId}
       and id = ${snapshotId}
  `;
  return noted.count > 0;
}

/** Returns a page of snapshots, newest first. */
export async function listSnapshots(
  sql: OrgStatements,
  { accountId, status }: { accountId: string | undefined; status: string | undefined },
  { before, limit }: { before: string | undefined; limit: number },
): Promise<DriftSnapshot[]> {
  const { part } = sql;
  const rows = await sql<SnapshotRow>`
    select ${columns(sql)}
      from inventory.drift_snapshots
     where org_id = ${sql.orgId}
       ${before === undefined ? part`` : part`and id < ${before}`}
       ${accountId === undefined ? part`` : part`and cloud_account_id = ${accountId}`}
       ${status === undefined ? part`` : part`and status = ${status}`}
     order by id desc
     limit ${limit}
  `;
  return rows.map(fromRow);
}
