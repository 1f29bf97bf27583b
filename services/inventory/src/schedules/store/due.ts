import type { ScanWindow } from "@leeway/shared/contracts/inventory/schedules";
import type { OrgStatements, Row, Statements, Transaction } from "@leeway/shared/database/database";

/** A last run that lies further ahead than this was by a clock that was wrong. */
const AHEAD = "1 hour";

/** Schedules of every organization whose time has come at `now`, or by the database's clock. */
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

/** A schedule that is due, and what time it is. */
export interface DueSchedule extends Row {
  id: string;
  account_id: string;
  cron: string;
  timezone: string;
  run_window: ScanWindow | null;
  next_run_at: Date;
  /** Its last run lies ahead. */
  astray: boolean;
  now: Date;
}

/** Takes schedules for this transaction, but for those that aren't due any more or that another has taken. */
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

/** Plans the next run in place of one that wasn't due, or has to wait. */
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

/** What a run came to: a scan, or why there was none. */
export type Outcome = { scanId: string } | { skipped: string };

/** Notes what the due run came to, which was as good as at `lastRunAt`, and plans the next. */
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

/** Disables a schedule. @returns when, and its failures in a row; undefined when it is off already */
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
