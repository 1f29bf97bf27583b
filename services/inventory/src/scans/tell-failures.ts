import { call } from "@leeway/shared/bus/request";
import { PublishNotification } from "@leeway/shared/contracts/webhooks/channels";
import { eventIdOf } from "@leeway/shared/event-id";
import type { Platform } from "@leeway/shared/service";

import { findScan } from "./scans.ts";
import { failuresInARow, noteTold, untoldFailures } from "./store/failures.ts";

const MOST_AT_ONCE = 100;
const MOST_ERRORS = 20;

/**
 * Tells notification channels of scans that failed. One stays to be told until the channels' service has taken it; told
 * twice, it is the same event.
 * @throws {AppError} when that service can't be reached
 */
export async function tellFailures({ database, bus }: Platform): Promise<void> {
  for (const { org_id, scan_id } of await untoldFailures(database.system, MOST_AT_ONCE)) {
    const sql = database.org(org_id);
    const { account_id, trigger, errors, finished_at, created_at } = await findScan(
      database,
      org_id,
      scan_id,
    );
    await call(bus, PublishNotification, {
      org_id,
      event: {
        id: eventIdOf("scan.failed", org_id, scan_id),
        type: "scan.failed",
        created_at: finished_at ?? created_at,
        data: {
          scan_id,
          account_id,
          trigger,
          errors: errors.slice(0, MOST_ERRORS),
          consecutive_failures: await failuresInARow(sql, account_id, scan_id),
        },
      },
    });
    await noteTold(sql, scan_id);
  }
}
