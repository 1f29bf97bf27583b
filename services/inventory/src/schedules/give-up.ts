import type { Transaction } from "@leeway/shared/database/database";
import { eventIdOf } from "@leeway/shared/event-id";

import { tell } from "../notices/notices.ts";
import { disableSchedule } from "./store/due.ts";

/** Disables a schedule, unless it is off already, and has the organization's channels told why. */
export async function giveUp(
  tx: Transaction,
  { id, account_id }: { id: string; account_id: string },
  reason: string,
): Promise<void> {
  const disabled = await disableSchedule(tx, id, reason);
  if (!disabled) return;
  const disabledAt = disabled.at.toISOString();
  await tell(tx, account_id, {
    event: {
      id: eventIdOf("scan_schedule.disabled", id, disabledAt),
      type: "scan_schedule.disabled",
      created_at: disabledAt,
      data: {
        schedule_id: id,
        account_id,
        reason,
        consecutive_failures: disabled.failures,
        disabled_at: disabledAt,
      },
    },
  });
}
