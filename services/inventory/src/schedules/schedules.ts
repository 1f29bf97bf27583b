import { namesOf } from "@leeway/shared/service/audit/write-audit";
import type { Input } from "@leeway/shared/contracts/contract";
import type {
  CreateSchedule,
  DeleteSchedule,
  ScanSchedule,
  ScanWindow,
  UpdateSchedule,
} from "@leeway/shared/contracts/inventory/schedules";
import type { Database, Transaction } from "@leeway/shared/database/database";
import { AppError, invalidParameter } from "@leeway/shared/values/errors";

import { findAccount } from "../accounts/accounts.ts";
import { getAccount } from "../accounts/store.ts";
import { audit } from "../audit.ts";
import { noCredentials } from "../accounts/open-account.ts";
import { checkedCron, checkTimeZone, MIN_INTERVAL_MS } from "./cron.ts";
import { nextRun, runOf, type Timing } from "./next-run.ts";
import {
  currentTime,
  deleteSchedule,
  getSchedule,
  holdSchedule,
  insertSchedule,
  updateSchedule,
  type HeldSchedule,
} from "./store/schedules.ts";

const MAX_OF_ACCOUNT = 10;

/**
 * Creates a schedule. If the id exists already, returns that schedule.
 * @throws {AppError} `not_found`, `no_credentials`, `invalid_parameter`; `conflict` if there are too many
 */
export async function addSchedule(
  database: Database,
  {
    org_id,
    schedule_id: id = Bun.randomUUIDv7(),
    account_id,
    created_by,
    ...given
  }: Input<typeof CreateSchedule>,
): Promise<ScanSchedule> {
  const { cron, timezone = "UTC", window, enabled = true } = given;
  const timing = checkedTiming({ id, cron, timezone, window });
  const account = await findAccount(database, org_id, account_id);
  if (!account.credentials) throw noCredentials(org_id, account_id);
  const nextRunAt = enabled ? nextRun(timing, await currentTime(database.system)) : undefined;
  const owner = { accountId: account_id, createdBy: created_by, most: MAX_OF_ACCOUNT };
  const planned = { ...timing, nextRunAt };
  await database.transaction(org_id, async (tx) => {
    if (!(await insertSchedule(tx, owner, planned))) return;
    const details = { account_id, cron: timing.cron, timezone, enabled };
    await audit(tx, { action: "scan_schedule.create", targetId: id, details });
  });
  const made = await getSchedule(database.org(org_id), id);
  if (!made)
    throw new AppError("conflict", `the account already has ${MAX_OF_ACCOUNT} schedules; delete one first`);
  return made;
}

/** @throws {AppError} `not_found` */
export async function findSchedule(
  database: Database,
  orgId: string,
  scheduleId: string,
): Promise<ScanSchedule> {
  const schedule = await getSchedule(database.org(orgId), scheduleId);
  if (!schedule) throw noSchedule();
  return schedule;
}

/** @throws {AppError} `not_found`, `empty_update`, `invalid_parameter`; `no_credentials` when enabling it */
export async function changeSchedule(
  database: Database,
  { org_id, schedule_id, ...changes }: Input<typeof UpdateSchedule>,
): Promise<ScanSchedule> {
  if (Object.keys(changes).length === 0)
    throw new AppError("empty_update", "the request changes nothing; provide at least one field to update");
  await database.transaction(org_id, async (tx) => {
    const held = await holdSchedule(tx, schedule_id);
    if (!held) throw noSchedule();
    if (changes.enabled === true) await requireCredentials(tx, held.schedule.account_id);
    const { id, cron, timezone, enabled, window } = { ...held.schedule, ...changes };
    const timing = checkedTiming({ id, cron, timezone, window: window ?? undefined });
    const nextRunAt = enabled ? plannedRun(held, timing) : undefined;
    await updateSchedule(tx, { ...timing, nextRunAt }, { forgive: changes.enabled === true });
    const { account_id } = held.schedule;
    const details = { account_id, cron: timing.cron, timezone, enabled, changed: namesOf(changes) };
    await audit(tx, { action: "scan_schedule.update", targetId: id, details });
  });
  return findSchedule(database, org_id, schedule_id);
}

/** @throws {AppError} `not_found` */
export async function removeSchedule(
  database: Database,
  { org_id, schedule_id }: Input<typeof DeleteSchedule>,
): Promise<void> {
  await database.transaction(org_id, async (tx) => {
    const schedule = await getSchedule(tx, schedule_id);
    if (!schedule || !(await deleteSchedule(tx, schedule_id))) throw noSchedule();
    const { account_id, cron, timezone, enabled } = schedule;
    const details = { account_id, cron, timezone, enabled };
    await audit(tx, { action: "scan_schedule.delete", targetId: schedule_id, details });
  });
}

async function requireCredentials(tx: Transaction, accountId: string): Promise<void> {
  const account = await getAccount(tx, accountId);
  if (!account?.credentials) throw noCredentials(tx.orgId, accountId);
}

/**
 * Returns the next run of a changed schedule. If the timing is unchanged, a due run stays due. A tick that waits for
 * its window now waits for the new window.
 */
function plannedRun({ schedule, lastRunAt, now }: HeldSchedule, timing: Timing): Date | undefined {
  const { id, cron, timezone, window, next_run_at: plannedAt } = schedule;
  const before = { id, cron, timezone, window };
  const planned = plannedAt === undefined ? undefined : new Date(plannedAt);
  if (planned && Bun.deepEquals(before, timing)) return planned;
  const next = nextRun(timing, now, lastRunAt);
  const hasSameTicks = cron === timing.cron && timezone === timing.timezone;
  if (!planned || !hasSameTicks || !isWaiting(planned, nextRun(before, now, lastRunAt))) return next;
  const made = runOf(timing, now);
  return lastRunAt && made.getTime() < lastRunAt.getTime() + MIN_INTERVAL_MS ? next : made;
}

/** Checks whether a run belongs to a tick before `next`, the first future one. */
function isWaiting(planned: Date, next: Date | undefined): boolean {
  return next !== undefined && planned < next;
}

/**
 * Validates a timing and normalizes it for storage.
 * @throws {AppError} `invalid_parameter`
 */
function checkedTiming(wanted: Timing): Timing {
  checkTimeZone("timezone", wanted.timezone);
  if (wanted.window) checkWindow(wanted.window);
  return { ...wanted, cron: checkedCron(wanted.cron) };
}

function checkWindow({ start, end, timezone }: ScanWindow): void {
  checkTimeZone("window.timezone", timezone);
  if (start === end) throw invalidParameter("window.end", "must differ from window.start");
}

function noSchedule(): AppError {
  return new AppError("not_found", "the scan schedule doesn't exist");
}
