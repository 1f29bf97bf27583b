import type { PostureRow, TrendPoint } from "@leeway/shared/contracts/inventory/posture";
import type { OrgStatements, Row } from "@leeway/shared/database/database";
import { present } from "@leeway/shared/values/json";

import { declaredCounts } from "../sources/store/declared-counts.ts";
import { type CountColumns, countsOf, coverageAndRiskOf, type RiskColumns } from "../drift/counts.ts";

/** Counts of an account, with its latest snapshot. The snapshot's columns are all null if there is none. */
interface AccountPosture extends Row, CountColumns, Nullable<RiskColumns> {
  unobserved_count: number;
  id: string;
  name: string | null;
  provider: string;
  external_id: string;
  snapshot_id: string | null;
  changed_count: number | null;
  hidden_count: number | null;
  drift_status: PostureRow["drift_status"];
  last_scan_at: Date | null;
  latest_scan: PostureRow["latest_scan"] | null;
  last_drift_at: Date | null;
}

type Nullable<T> = { [K in keyof T]: T[K] | null };

/**
 * Lists one row per account, lowest coverage first, accounts without coverage last. Coverage and risk are from the
 * latest finished snapshot; `drift_status` is from the latest of all.
 */
export async function listPosture(sql: OrgStatements): Promise<PostureRow[]> {
  const rows = await sql<AccountPosture>`
    select a.id, a.name, a.provider, a.external_id, a.live_count, a.matched_count, a.undeclared_count,
           a.unchecked_count, a.excluded_count, a.missing_count, coalesce(declared.unobserved_count, 0) as unobserved_count,
           done.id as snapshot_id, done.coverage_pct, done.coverage_reliable, done.risk_level, done.critical_count,
           done.high_count, done.medium_count, done.low_count, done.undeclared_critical_count,
           done.undeclared_high_count, done.undeclared_medium_count, done.undeclared_low_count, done.changed_count,
           done.hidden_count,
           done.finished_at as last_drift_at,
           coalesce(latest.status, 'none') as drift_status, scan.finished_at as last_scan_at,
           (select jsonb_build_object('id', c.id, 'status', c.status, 'at', coalesce(c.finished_at, c.created_at))
              from inventory.scans c
             where c.org_id = ${sql.orgId} and c.account_id = a.id and c.kind <> 'drift'
             order by c.id desc
             limit 1) as latest_scan
      from inventory.cloud_accounts a
      left join (
        select cloud_account_id, sum(unobserved)::integer as unobserved_count
          from (${declaredCounts(sql)}) counts
         group by cloud_account_id
      ) declared on declared.cloud_account_id = a.id
      left join lateral (
        select s.id, s.coverage_pct, s.coverage_reliable, s.risk_level, s.critical_count, s.high_count,
               s.medium_count, s.low_count, s.undeclared_critical_count, s.undeclared_high_count,
               s.undeclared_medium_count, s.undeclared_low_count, s.changed_count, s.hidden_count, s.finished_at
          from inventory.drift_snapshots s
         where s.org_id = ${sql.orgId} and s.cloud_account_id = a.id and s.status <> 'pending'
         order by s.id desc
         limit 1
      ) done on true
      left join lateral (
        select s.status
          from inventory.drift_snapshots s
         where s.org_id = ${sql.orgId} and s.cloud_account_id = a.id
         order by s.id desc
         limit 1
      ) latest on true
      left join lateral (
        select c.finished_at
          from inventory.scans c
         where c.org_id = ${sql.orgId} and c.account_id = a.id and c.status in ('succeeded', 'partial')
           and c.kind <> 'drift' -- drift scans read nothing
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
      latest_scan: row.latest_scan && { ...row.latest_scan, at: new Date(row.latest_scan.at).toISOString() },
    }),
    provider: row.provider,
    external_id: row.external_id,
    ...(hasSnapshot(row) && coverageAndRiskOf(row)),
    ...present({ changed_count: row.changed_count, hidden_count: row.hidden_count }),
    ...countsOf(row),
    unobserved_count: row.unobserved_count,
    drift_status: row.drift_status,
  };
}

function hasSnapshot(row: AccountPosture): row is AccountPosture & RiskColumns {
  return row.snapshot_id !== null;
}

const DAY_MS = 24 * 60 * 60 * 1000;

interface TrendRow extends Row, CountColumns, RiskColumns {
  id: string;
  cloud_account_id: string;
  date: string;
  changed_count: number;
}

/**
 * Returns the result of each day's last ready snapshot for `days` days including today, by account and oldest first.
 */
export async function listTrend(
  sql: OrgStatements,
  { accountId, days }: { accountId: string | undefined; days: number },
): Promise<TrendPoint[]> {
  // Ids are UUIDs of version 7. A day more makes up for differences between clocks.
  const earliest = Bun.randomUUIDv7("hex", Date.now() - (days + 1) * DAY_MS);
  const rows = await sql<TrendRow>`
    select distinct on (s.cloud_account_id, date)
           to_char(s.created_at at time zone 'utc', 'YYYY-MM-DD') as date, s.id, s.cloud_account_id, s.live_count,
           s.matched_count, s.undeclared_count, s.unchecked_count, s.excluded_count, s.missing_count, s.changed_count,
           s.coverage_pct, s.coverage_reliable, s.risk_level, s.critical_count, s.high_count, s.medium_count, s.low_count,
           s.undeclared_critical_count, s.undeclared_high_count, s.undeclared_medium_count, s.undeclared_low_count
      from inventory.drift_snapshots s
     where s.org_id = ${sql.orgId}
       and s.status = 'ready'
       and s.id >= ${earliest}
       ${accountId === undefined ? sql.part`` : sql.part`and s.cloud_account_id = ${accountId}`}
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
