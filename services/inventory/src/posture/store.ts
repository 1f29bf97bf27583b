import type { PostureRow, TrendPoint } from "@leeway/shared/contracts/inventory/posture";
import type { OrgStatements, Row } from "@leeway/shared/database/database";
import { present } from "@leeway/shared/json";

import { type CountColumns, countsOf, coverageAndRiskOf, type RiskColumns } from "../drift/counts.ts";

/** What an account has now, and what its snapshots say; those columns are null together while it has none. */
interface AccountPosture extends Row, CountColumns, Nullable<RiskColumns> {
  id: string;
  name: string | null;
  provider: string;
  external_id: string;
  snapshot_id: string | null;
  changed_count: number | null;
  drift_status: PostureRow["drift_status"];
  last_scan_at: Date | null;
  last_drift_at: Date | null;
}

type Nullable<T> = { [K in keyof T]: T[K] | null };

/**
 * One row per account, lowest coverage first, accounts without coverage last. Coverage and risk are those
 * of the latest finished snapshot; `drift_status` is that of the latest of all.
 */
export async function listPosture(sql: OrgStatements): Promise<PostureRow[]> {
  const rows = await sql<AccountPosture>`
    select a.id, a.name, a.provider, a.external_id, a.live_count, a.matched_count, a.undeclared_count,
           a.unchecked_count, a.excluded_count, a.missing_count,
           done.id as snapshot_id, done.coverage_pct, done.coverage_reliable, done.risk_level, done.critical_count,
           done.high_count, done.medium_count, done.low_count, done.changed_count, done.finished_at as last_drift_at,
           coalesce(latest.status, 'none') as drift_status, scan.finished_at as last_scan_at
      from inventory.cloud_accounts a
      left join lateral (
        select s.id, s.coverage_pct, s.coverage_reliable, s.risk_level, s.critical_count, s.high_count,
               s.medium_count, s.low_count, s.changed_count, s.finished_at
          from inventory.drift_snapshots s
         where s.org_id = a.org_id and s.cloud_account_id = a.id and s.status <> 'pending'
         order by s.id desc
         limit 1
      ) done on true
      left join lateral (
        select s.status
          from inventory.drift_snapshots s
         where s.org_id = a.org_id and s.cloud_account_id = a.id
         order by s.id desc
         limit 1
      ) latest on true
      left join lateral (
        select c.finished_at
          from inventory.scans c
         where c.org_id = a.org_id and c.account_id = a.id and c.status in ('succeeded', 'partial')
           and c.kind <> 'drift' -- which reads nothing
         order by c.finished_at desc
         limit 1
      ) scan on true
     where a.org_id = ${sql.orgId}
     order by done.coverage_pct asc nulls last, a.id asc
  `;
  return rows.map(fromRow);
}

function fromRow(row: AccountPosture): PostureRow {
  return {
    cloud_account_id: row.id,
    ...present({
      name: row.name,
      drift_snapshot_id: row.snapshot_id,
      last_scan_at: row.last_scan_at?.toISOString(),
      last_drift_at: row.last_drift_at?.toISOString(),
    }),
    provider: row.provider,
    external_id: row.external_id,
    ...(hasSnapshot(row) && coverageAndRiskOf(row)),
    ...present({ changed_count: row.changed_count }),
    ...countsOf(row),
    drift_status: row.drift_status,
  };
}

function hasSnapshot(row: AccountPosture): row is AccountPosture & RiskColumns {
  return row.snapshot_id !== null;
}

interface TrendRow extends Row, CountColumns, RiskColumns {
  id: string;
  cloud_account_id: string;
  date: string;
  changed_count: number;
}

/** What the last ready snapshot of each day said, `days` back with today, by account and oldest first. */
export async function listTrend(
  sql: OrgStatements,
  { accountId, days }: { accountId: string | undefined; days: number },
): Promise<TrendPoint[]> {
  const rows = await sql<TrendRow>`
    select distinct on (s.cloud_account_id, date)
           to_char(s.created_at at time zone 'utc', 'YYYY-MM-DD') as date, s.id, s.cloud_account_id, s.live_count,
           s.matched_count, s.undeclared_count, s.unchecked_count, s.excluded_count, s.missing_count, s.changed_count,
           s.coverage_pct, s.coverage_reliable, s.risk_level, s.critical_count, s.high_count, s.medium_count, s.low_count
      from inventory.drift_snapshots s
     where s.org_id = ${sql.orgId}
       and s.status = 'ready'
       and (${accountId ?? null}::uuid is null or s.cloud_account_id = ${accountId ?? null})
       and s.created_at >= (date_trunc('day', now() at time zone 'utc') - make_interval(days => ${days - 1})) at time zone 'utc'
     order by s.cloud_account_id, date, s.id desc
  `;
  return rows.map((row) => ({
    cloud_account_id: row.cloud_account_id,
    date: row.date,
    drift_snapshot_id: row.id,
    ...coverageAndRiskOf(row),
    ...countsOf(row),
    changed_count: row.changed_count,
  }));
}
