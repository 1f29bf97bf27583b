import type { ScanError } from "@leeway/shared/contracts/inventory/scans";
import type { Transaction } from "@leeway/shared/database/database";
import { eventIdOf } from "@leeway/shared/event-id";
import type { Platform } from "@leeway/shared/service";

import { tell } from "../notices/notices.ts";
import { giveUp } from "./give-up.ts";
import { failuresInRow, noteFailures, settle, unsettledScans, type EndedScan } from "./store/ended.ts";
import { holdSchedule } from "./store/schedules.ts";

const MOST_AT_ONCE = 200;
const MOST_FAILURES = 5;
/** Of a scan's errors as many are told as fit an event. */
const MOST_ERRORS = 20;
const LONGEST_MESSAGE = 500;

/**
 * Draws the consequences of scans that have ended, each once, whoever ended them: schedules count their
 * failures and are disabled after five in a row, and channels are told.
 */
export async function settleEndedScans({ database, log }: Platform): Promise<void> {
  for (const { org_id: orgId, scan_id: scanId } of await unsettledScans(database.system, MOST_AT_ONCE)) {
    try {
      await database.transaction(orgId, (tx) => settleScan(tx, scanId));
    } catch (error) {
      log.warn({ error, org_id: orgId, scan_id: scanId }, "what a scan's end means will be looked at again");
    }
  }
}

async function settleScan(tx: Transaction, scanId: string): Promise<void> {
  const scan = await settle(tx, scanId);
  if (!scan) return;
  const { schedule_id: scheduleId, status } = scan;
  const held = scheduleId === null ? undefined : await holdSchedule(tx, scheduleId);
  if (status === "failed") await tellFailure(tx, scan);
  if (!held) return;
  const { id } = held.schedule;
  const failures = await failuresInRow(tx, scan);
  await noteFailures(tx, id, failures);
  if (failures >= MOST_FAILURES) await giveUp(tx, held.schedule, reasonOf(scan, failures));
}

async function tellFailure(tx: Transaction, scan: EndedScan): Promise<void> {
  const { id, account_id, schedule_id, trigger, errors, finished_at: at } = scan;
  await tell(tx, account_id, {
    event: {
      id: eventIdOf("scan.failed", tx.orgId, id),
      type: "scan.failed",
      created_at: at.toISOString(),
      data: {
        scan_id: id,
        account_id,
        ...(schedule_id !== null && { schedule_id }),
        trigger,
        errors: errors.slice(0, MOST_ERRORS).map(shortened),
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
  return `${failures} scans in a row failed${last === undefined ? "" : `; at last: ${last}`}`;
}
