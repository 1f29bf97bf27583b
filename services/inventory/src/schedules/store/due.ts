import type { ScanWindow } from "@leeway/shared/contracts/inventory/schedules";
import type { OrgStatements, Row, Statements, Transaction } from "@leeway/shared/database/database";

/** A last run further in the future than this was recorded with a wrong clock. */
const AHEAD = "1 hour";

/** Returns schedules of all organizations that are due at `now`, or by the database's clock. */
export async function dueSchedules(
  sql: Statements,
  now: Date | undefined,
  limit: number,
): Promise<{ org_id: string; schedule_id: string }[]> {
  return sql<{ org_id: string; schedule_id: string }>`
    select org_id, schedule_id
      from inventory.due_schedules(coalesce(${now ?? null}::timestamptz, now()), ${AHEAD}::interval, ${limit})
  `;
}

/** A due schedule, with the current time. */
export interface DueSchedule extends Row {
  id: string;
  account_id: string;
  cron: string;
  timezone: string;
  run_window: ScanWindow | null;
  next_run_at: Date;
  /** Whether its last run is in the future. */
  astray: boolean;
  now: Date;
}

/** Locks schedules for this transaction, skipping those that are no longer due or locked by another. */
export async function takeDue(
  tx: Transaction,
  ids: readonly string[],
  now: Date | undefined,
): Promise<DueSchedule[]> {
  return tx<DueSchedule>`
    select id, account_id, cron, timezone, run_window, next_run_at, clock.now,
           coalesce(last_run_at > clock.now + ${AHEAD}::interval, false) as astray
      from inventory.scan_schedules,
           (select coalesce(${now ?? null}::timestamptz, now()) as now) clock
     where org_id = ${tx.orgId}
       and id = any (${[...ids]}::uuid[])
       and enabled
       and (next_run_at <= clock.now or last_run_at > clock.now + ${AHEAD}::interval)
       for update of scan_schedules skip locked
  `;
}

/** Replaces the next run of a schedule whose run was wrong or has to wait. */
export async function replan(
  tx: Transaction,
  scheduleId: string,
  { nextRunAt, forgetLast }: { nextRunAt: Date; forgetLast: boolean },
): Promise<void> {
  await tx`
    update inventory.scan_schedules
       set next_run_at = ${nextRunAt}::timestamptz,
           last_run_at = case when ${forgetLast} then null else last_run_at end
     where org_id = ${tx.orgId}
       and id = ${scheduleId}
  `;
}

/** Outcome of a run: a scan, or the reason why there was none. */
export type Outcome = { scanId: string } | { skipped: string };

/** Stores the outcome of a run, and plans the next one. `lastRunAt` may be the planned time. */
export async function noteRun(
  tx: Transaction,
  { id, now }: DueSchedule,
  outcome: Outcome,
  { lastRunAt, nextRunAt }: { lastRunAt: Date; nextRunAt: Date },
): Promise<void> {
  const { scanId, skipped } = { scanId: null, skipped: null, ...outcome };
  await tx`
    update inventory.scan_schedules
       set last_run_at = ${lastRunAt}::timestamptz, next_run_at = ${nextRunAt}::timestamptz,
           last_scan_id = coalesce(${scanId}::uuid, last_scan_id),
           skipped_at = case when ${skipped}::text is null then skipped_at else ${now}::timestamptz end,
           skip_reason = coalesce(${skipped}::text, skip_reason)
     where org_id = ${tx.orgId}
       and id = ${id}
  `;
}

/**
 * Disables a schedule.
 * @returns the time and the failures in a row; undefined if it was already disabled
 */
export async function disableSchedule(
  sql: OrgStatements,
  scheduleId: string,
  reason: string,
): Promise<{ at: Date; failures: number } | undefined> {
  const [disabled] = await sql<{ at: Date; failures: number }>`
    update inventory.scan_schedules
       set enabled = false, next_run_at = null, disabled_at = now(), disabled_reason = ${reason}
     where org_id = ${sql.orgId}
       and id = ${scheduleId}
       and enabled
    returning disabled_at as at, consecutive_failures as failures
  `;
  return disabled;
}
