import type { Actor } from "@leeway/shared/contracts/common";
import type { ScanSchedule, ScanWindow } from "@leeway/shared/contracts/inventory/schedules";
import type { OrgStatements, Row, Statements, Transaction } from "@leeway/shared/database/database";
import { present } from "@leeway/shared/values/json";

interface ScheduleRow extends Row {
  id: string;
  account_id: string;
  cron: string;
  timezone: string;
  run_window: ScanWindow | null;
  enabled: boolean;
  next_run_at: Date | null;
  last_scan_id: string | null;
  skipped_at: Date | null;
  skip_reason: string | null;
  consecutive_failures: number;
  disabled_at: Date | null;
  disabled_reason: string | null;
  created_by: Actor;
  created_at: Date;
  updated_at: Date;
}

const columns = (sql: Statements) => sql.part`
  id, account_id, cron, timezone, run_window, enabled, next_run_at, last_scan_id, skipped_at, skip_reason,
  consecutive_failures, disabled_at, disabled_reason, created_by, created_at, updated_at
`;

function fromRow(row: ScheduleRow): ScanSchedule {
  const { skipped_at: skippedAt, skip_reason: reason } = row;
  return {
    id: row.id,
    account_id: row.account_id,
    cron: row.cron,
    timezone: row.timezone,
    enabled: row.enabled,
    consecutive_failures: row.consecutive_failures,
    ...present({
      window: row.run_window,
      next_run_at: row.next_run_at?.toISOString(),
      last_scan_id: row.last_scan_id,
      disabled_at: row.disabled_at?.toISOString(),
      disabled_reason: row.disabled_reason,
    }),
    ...(skippedAt && reason !== null && { last_skip: { at: skippedAt.toISOString(), reason } }),
    created_by: row.created_by,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** A new or changed schedule with its next run, which is undefined if it is disabled. */
interface PlannedSchedule {
  id: string;
  cron: string;
  timezone: string;
  window?: ScanWindow | undefined;
  nextRunAt: Date | undefined;
}

/** Creates a schedule, unless it exists or its account already has `most`. */
export async function insertSchedule(
  tx: Transaction,
  { accountId, createdBy, most }: { accountId: string; createdBy: Actor; most: number },
  { id, cron, timezone, window, nextRunAt }: PlannedSchedule,
): Promise<boolean> {
  // A concurrent creation waits here, and then counts this schedule.
  await tx`select pg_advisory_xact_lock(hashtextextended('inventory.scan_schedules ' || ${accountId}, 0))`;
  const made = await tx`
    insert into inventory.scan_schedules (
      org_id, id, account_id, cron, timezone, run_window, enabled, next_run_at, created_by
    )
    select ${tx.orgId}, ${id}, ${accountId}, ${cron}, ${timezone}, ${window ? tx.part.json(window) : null}::jsonb,
           ${nextRunAt !== undefined}, ${nextRunAt ?? null}::timestamptz, ${tx.part.json(createdBy)}::jsonb
     where (
       select count(*)
         from inventory.scan_schedules
        where org_id = ${tx.orgId}
          and account_id = ${accountId}
     ) < ${most}
    on conflict (org_id, id) do nothing
    returning id
  `;
  return made.length > 0;
}

export async function getSchedule(sql: OrgStatements, scheduleId: string): Promise<ScanSchedule | undefined> {
  const [row] = await sql<ScheduleRow>`
    select ${columns(sql)}
      from inventory.scan_schedules
     where org_id = ${sql.orgId}
       and id = ${scheduleId}
  `;
  return row && fromRow(row);
}

/** A locked schedule, with the times needed to plan its runs. */
export interface HeldSchedule {
  schedule: ScanSchedule;
  lastRunAt: Date | undefined;
  /** By the database's clock. */
  now: Date;
}

/** Locks a schedule against changes and runs until the transaction ends. */
export async function holdSchedule(tx: Transaction, scheduleId: string): Promise<HeldSchedule | undefined> {
  const [row] = await tx<ScheduleRow & { last_run_at: Date | null; now: Date }>`
    select ${columns(tx)}, last_run_at, now() as now
      from inventory.scan_schedules
     where org_id = ${tx.orgId}
       and id = ${scheduleId}
       for update
  `;
  return row && { schedule: fromRow(row), lastRunAt: row.last_run_at ?? undefined, now: row.now };
}

/** Returns the time by the database's clock, which all processes share. */
export async function currentTime(sql: Statements): Promise<Date> {
  const [row] = await sql<{ now: Date }>`select now() as now`;
  return row?.now ?? new Date();
}

/** Returns a page of schedules, oldest first. */
export async function listSchedules(
  sql: OrgStatements,
  { accountId }: { accountId: string | undefined },
  { after, limit }: { after: string | undefined; limit: number },
): Promise<ScanSchedule[]> {
  const rows = await sql<ScheduleRow>`
    select ${columns(sql)}
      from inventory.scan_schedules
     where org_id = ${sql.orgId}
       and (${after ?? null}::uuid is null or id > ${after ?? null})
       and (${accountId ?? null}::uuid is null or account_id = ${accountId ?? null})
     order by id
     limit ${limit}
  `;
  return rows.map(fromRow);
}

/** Changes a schedule. `forgive` clears the failures that disabled it. */
export async function updateSchedule(
  tx: Transaction,
  { id, cron, timezone, window, nextRunAt }: PlannedSchedule,
  { forgive }: { forgive: boolean },
): Promise<void> {
  await tx`
    update inventory.scan_schedules
       set cron = ${cron}, timezone = ${timezone}, run_window = ${window ? tx.part.json(window) : null}::jsonb,
           enabled = ${nextRunAt !== undefined}, next_run_at = ${nextRunAt ?? null}::timestamptz,
           consecutive_failures = case when ${forgive} then 0 else consecutive_failures end,
           counted_from = ${forgive ? tx.part`now()` : tx.part`counted_from`},
           disabled_at = case when ${forgive} then null else disabled_at end,
           disabled_reason = case when ${forgive} then null else disabled_reason end,
           updated_at = now()
     where org_id = ${tx.orgId}
       and id = ${id}
  `;
}

/** Deletes a schedule. Returns false if there is none. */
export async function deleteSchedule(sql: OrgStatements, scheduleId: string): Promise<boolean> {
  const gone = await sql`
    delete from inventory.scan_schedules
     where org_id = ${sql.orgId}
       and id = ${scheduleId}
  `;
  return gone.count > 0;
}
