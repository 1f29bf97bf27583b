import type { Statements, Transaction } from "@leeway/shared/database/database";

interface AccountOfOrg {
  org_id: string;
  account_id: string;
}

/** Accounts of every organization whose drift is left to be computed or put into words; each is given out once for a while. */
export async function unfinishedDrift(
  sql: Statements,
  { olderThanSeconds, atMost }: { olderThanSeconds: number; atMost: number },
): Promise<AccountOfOrg[]> {
  return sql<{ org_id: string; account_id: string }>`
    select org_id, account_id
      from inventory.unfinished_drift(make_interval(secs => ${olderThanSeconds}), ${atMost})
  `;
}

/** Makes room for the months to come and forgets drift and scans that are older than `days`. */
export async function keepDrift(sql: Statements, days: number): Promise<void> {
  await sql`select inventory.keep_drift(${days}), inventory.forget_scans(${days})`;
}

/** Has the planner look at tables that have grown much, so that what was added is read by plans for as much. */
export async function analyzeGrown(tx: Transaction): Promise<void> {
  await tx`select inventory.analyze_grown()`;
}
