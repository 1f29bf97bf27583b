import { answer, type Endpoint } from "@leeway/shared/bus/answer";
import { RecordAudit } from "@leeway/shared/contracts/gateway/audit";
import type { Platform } from "@leeway/shared/service/service";

import { addRecords } from "./audit/store/audit-chain.ts";

/** Returns the bus endpoints of the gateway: other services send entries for the audit log. */
export function handlers({ database }: Platform): Endpoint[] {
  return [
    answer(RecordAudit, async ({ org_id, entries }) => {
      await database.transaction(org_id, (tx) => addRecords(tx, entries));
      return {};
    }),
  ];
}
