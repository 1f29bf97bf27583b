import type { ScanError } from "@leeway/shared/contracts/inventory/scans";
import type { Transaction } from "@leeway/shared/database/database";
import { eventIdOf } from "@leeway/shared/values/event-id";
import type { Platform } from "@leeway/shared/service/service";

import { notify } from "../notices/notices.ts";
import { giveUp } from "./give-up.ts";
import { failuresInRow, noteFailures, settle, unsettledScans, type EndedScan } from "./store/ended.ts";
import { holdSchedule } from "./store/schedules.ts";

const MAX_AT_ONCE = 200;
const MAX_FAILURES = 5;
/** Limit on errors in an event, so that it isn't too large. */
const MAX_ERRORS = 20;
const LONGEST_MESSAGE = 500;

/**
 * Processes the results of finished scans, each once. Schedules count their failures and are disabled after five in a
 * row; channels are notified.
 */
export async function settleEndedScans({ database, log }: Platform): Promise<void> {
  for (const { org_id: orgId, scan_id: scanId } of await unsettledScans(database.system, MAX_AT_ONCE)) {
    try {
      await database.transaction(orgId, (tx) => settleScan(tx, scanId));
    } catch (error) {
      log.warn({ error, org_id: orgId, scan_id: scanId }, "couldn't process the end of a scan; retrying");
    }
  }
}

async function settleScan(tx: Transaction, scanId: string): Promise<void> {
  const scan = await settle(tx, scanId);
  if (!scan) return;
  const { schedule_id: scheduleId, status } = scan;
  const held = scheduleId === null ? undefined : await holdSchedule(tx, scheduleId);
  if (status === "failed") await notifyOfFailure(tx, scan);
  if (!held) return;
  const { id } = held.schedule;
  const failures = await failuresInRow(tx, scan);
  await noteFailures(tx, id, failures);
  if (failures >= MAX_FAILURES) await giveUp(tx, held.schedule, reasonOf(scan, failures));
}

async function notifyOfFailure(tx: Transaction, scan: EndedScan): Promise<void> {
  const { id, account_id, schedule_id, trigger, errors, finished_at: at } = scan;
  await notify(tx, account_id, {
    event: {
      id: eventIdOf("scan.failed", tx.orgId, id),
      type: "scan.failed",
      created_at: at.toISOString(),
      data: {
        scan_id: id,
        account_id,
        ...(schedule_id !== null && { schedule_id }),
        trigger,
        errors: errors.slice(0, MAX_ERRORS).map(shortened),
        consecutive_failures: await failuresInRow(tx, scan, scan),
      },
    },
  });
}

function shortened(error: ScanError): ScanError {
  return { ...error, message: error.message.slice(0, LONGEST_MESSAGE).toWellFormed() };
}

function reasonOf({ errors }: EndedScan, failures: number): string {
  const last = errors.at(-1)?.message.slice(0, LONGEST_MESSAGE).toWellFormed();
  return `${failures} consecutive scans failed${last === undefined ? "" : `; last error: ${last}`}`;
}
