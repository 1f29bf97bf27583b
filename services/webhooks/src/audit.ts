import { writeAudit, type AuditFact } from "@leeway/shared/service/audit/write-audit";
import type { Transaction } from "@leeway/shared/database/database";

import { SCHEMA } from "./schema.ts";

/** Writes an audit entry for a change of this service, in the transaction that makes the change. */
export function audit(tx: Transaction, fact: AuditFact): Promise<void> {
  return writeAudit(tx, SCHEMA.name, fact);
}
