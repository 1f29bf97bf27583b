import type { DriftSnapshot } from "@leeway/shared/contracts/inventory/posture";
import { present } from "@leeway/shared/json";
import type { OrgStatements, Row, Statements } from "@leeway/shared/database/database";

import { type CountColumns, countsOf, coverageAndRiskOf, type RiskColumns } from "./counts.ts";

interface SnapshotRow extends Row, CountColumns, RiskColumns {
  id: string;
  cloud_account_id: string;
  scan_id: string | null;
  status: DriftSnapshot["status"];
  error_code: string | null;
  error_message: string | null;
  narrative: DriftSnapshot["narrative"] | null;
  created_at: Date;
}

const columns = (sql: Statements) => sql.part`
  id, cloud_account_id, scan_id, status, error_code, error_message, live_count, matched_count, undeclared_count,
  unchecked_count, excluded_count, missing_count, coverage_pct, coverage_reliable, risk_level, critical_count,
  high_count, medium_count, low_count, narrative, created_at
`;

function fromRow(row: SnapshotRow): DriftSnapshot {
  return {
    id: row.id,
    cloud_account_id: row.cloud_account_id,
    ...(row.scan_id !== null && { scan_id: row.scan_id }),
    status: row.status,
    ...(row.error_code !== null && { error: { code: row.error_code, message: row.error_message ?? "" } }),
    ...countsOf(row),
    ...coverageAndRiskOf(row),
    ...present({ narrative: row.narrative }),
    created_at: row.created_at.toISOString(),
  };
}

/** Announces that drift will be computed for what the account now is. */
export async function openSnapshot(
  sql: OrgStatements,
  { accountId, scanId }: { accountId: string; scanId: string | undefined },
): Promise<string> {
  const id = Bun.randomUUIDv7();
  await sql`
    insert into inventory.drift_snapshots (org_id, id, cloud_account_id, scan_id, status)
    values (${sql.orgId}, ${id}, ${accountId}, ${scanId ?? null}, 'pending')
  `;
  return id;
}

/** Computes a pending snapshot: the account's counts, and what it means that declared resources are gone. */
export async function computeSnapshot(sql: OrgStatements, snapshotId: string): Promise<void> {
  await sql`
    update inventory.drift_snapshots s
       set status = 'ready', live_count = a.live_count, matched_count = a.matched_count,
           undeclared_count = a.undeclared_count, unchecked_count = a.unchecked_count,
           excluded_count = a.excluded_count, missing_count = a.missing_count,
           critical_count = a.critical_losses, high_count = a.high_losses, medium_count = a.medium_losses,
           finished_at = now()
      from inventory.cloud_accounts a
     where s.org_id = ${sql.orgId}
       and s.id = ${snapshotId}
       and s.status = 'pending'
       and a.org_id = ${sql.orgId}
       and a.id = s.cloud_account_id
  `;
}

/** Records that drift couldn't be computed; the snapshot stays empty. */
export async function failSnapshot(
  sql: OrgStatements,
  snapshotId: string,
  error: { code: string; message: string },
): Promise<void> {
  await sql`
    update inventory.drift_snapshots
       set status = 'error', error_code = ${error.code}, error_message = ${error.message}, finished_at = now()
     where org_id = ${sql.orgId}
       and id = ${snapshotId}
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

/** Keeps what a snapshot means in words. @returns whether there is such a snapshot */
export async function noteNarrative(
  sql: OrgStatements,
  snapshotId: string,
  narrative: NonNullable<DriftSnapshot["narrative"]>,
): Promise<boolean> {
  const noted = await sql`
    update inventory.drift_snapshots
       set narrative = ${sql.part.json(narrative)}
     where org_id = ${sql.orgId}
       and id = ${snapshotId}
  `;
  return noted.count > 0;
}

/** A page of snapshots, newest first. */
export async function listSnapshots(
  sql: OrgStatements,
  { accountId, status }: { accountId: string | undefined; status: string | undefined },
  { before, limit }: { before: string | undefined; limit: number },
): Promise<DriftSnapshot[]> {
  const rows = await sql<SnapshotRow>`
    select ${columns(sql)}
      from inventory.drift_snapshots
     where org_id = ${sql.orgId}
       and (${before ?? null}::uuid is null or id < ${before ?? null})
       and (${accountId ?? null}::uuid is null or cloud_account_id = ${accountId ?? null})
       and (${status ?? null}::text is null or status = ${status ?? null})
     order by id desc
     limit ${limit}
  `;
  return rows.map(fromRow);
}
