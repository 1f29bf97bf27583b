import { RETENTION, RETENTION_BATCH } from "@leeway/shared/contracts/retention";
import type { Statements, Transaction } from "@leeway/shared/database/database";

interface AccountOfOrg {
  org_id: string;
  account_id: string;
}

/**
 * Returns accounts of all organizations with drift to compute or narratives to request. After that, an account is
 * left out for a while.
 */
export async function unfinishedDrift(
  sql: Statements,
  { olderThanSeconds, atMost }: { olderThanSeconds: number; atMost: number },
): Promise<AccountOfOrg[]> {
  return sql<{ org_id: string; account_id: string }>`
    select org_id, account_id
      from inventory.unfinished_drift(make_interval(secs => ${olderThanSeconds}), ${atMost})
  `;
}

/** Creates partitions for the coming months, and deletes a batch of expired drift and scans. */
export async function keepDrift(sql: Statements): Promise<void> {
  const { days } = RETENTION.drift;
  await sql`
    select inventory.keep_drift(${days}, ${RETENTION_BATCH}), inventory.forget_scans(${days}, ${RETENTION_BATCH}),
           inventory.forget_decisions(${RETENTION.decisions.days}, ${RETENTION_BATCH})
  `;
}

/** Analyzes tables that have grown much, so that the planner knows their new size. */
export async function analyzeGrown(tx: Transaction): Promise<void> {
  await tx`select inventory.analyze_grown()`;
}
