import type { Scan, ScanError } from "@leeway/shared/contracts/inventory/scans";
import type { Row, Statements, Transaction } from "@leeway/shared/database/database";

/** Returns finished scans of all organizations that haven't been processed yet. */
export async function unsettledScans(
  sql: Statements,
  limit: number,
): Promise<{ org_id: string; scan_id: string }[]> {
  return sql<{ org_id: string; scan_id: string }>`
    select org_id, scan_id from inventory.unsettled_scans(${limit})
  `;
}

/** A finished scan. */
export interface EndedScan extends Row {
  id: string;
  account_id: string;
  schedule_id: string | null;
  trigger: Scan["trigger"];
  status: Scan["status"];
  errors: ScanError[];
  finished_at: Date;
}

/** Marks a scan as processed by this transaction; undefined if it already was. */
export async function settle(tx: Transaction, scanId: string): Promise<EndedScan | undefined> {
  const [row] = await tx<EndedScan>`
    update inventory.scans
       set settled = true
     where org_id = ${tx.orgId}
       and id = ${scanId}
       and not settled
       and finished_at is not null
    returning id, account_id, schedule_id, trigger, status, errors, finished_at
  `;
  return row;
}

/** Scope of the count: a schedule's scans since it was last enabled, or without a schedule the account's. */
type Counted = Pick<EndedScan, "account_id" | "schedule_id">;

/** Counts the scans that had failed in a row when `last` ended, or until now. Only a success ends the row. */
export async function failuresInRow(
  tx: Transaction,
  { account_id: accountId, schedule_id: scheduleId }: Counted,
  last?: EndedScan,
): Promise<number> {
  const [row] = await tx<{ failures: number }>`
    with own as (
      select status, finished_at
        from inventory.scans
       where org_id = ${tx.orgId}
         and account_id = ${accountId}
         and (${scheduleId}::uuid is null or schedule_id = ${scheduleId})
         and finished_at <= coalesce(
           (select finished_at from inventory.scans where org_id = ${tx.orgId} and id = ${last?.id ?? null}), 'infinity'
         )
    )
    select count(*)::integer as failures
      from own
     where status = 'failed'
       and finished_at > greatest(
         (select max(finished_at) from own where status = 'succeeded'),
         (select counted_from from inventory.scan_schedules where org_id = ${tx.orgId} and id = ${scheduleId}),
         '-infinity'
       )
  `;
  return row?.failures ?? 0;
}

/** Stores the number of a schedule's failures in a row. */
export async function noteFailures(tx: Transaction, scheduleId: string, failures: number): Promise<void> {
  await tx`
    update inventory.scan_schedules
       set consecutive_failures = ${failures}
     where org_id = ${tx.orgId}
       and id = ${scheduleId}
  `;
}
