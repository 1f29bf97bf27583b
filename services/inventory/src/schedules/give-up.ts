import type { Transaction } from "@leeway/shared/database/database";
import { eventIdOf } from "@leeway/shared/values/event-id";

import { audit } from "../audit.ts";
import { notify } from "../notices/notices.ts";
import { disableSchedule } from "./store/due.ts";

/** Disables a schedule, unless it is already disabled, and notifies the organization's channels. */
export async function giveUp(
  tx: Transaction,
  { id, account_id }: { id: string; account_id: string },
  reason: string,
): Promise<void> {
  const disabled = await disableSchedule(tx, id, reason);
  if (!disabled) return;
  await audit(tx, { action: "scan_schedule.disable", targetId: id, details: { account_id, reason } });
  const disabledAt = disabled.at.toISOString();
  await notify(tx, account_id, {
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
