import type { Transaction } from "./database.ts";

/**
 * Runs statements of bulk work that look up few rows of large tables. Bulk work has nested loops off, so a join would read
 * such tables whole. The planner must not know the tables' organizations (`statistics 0` of `org_id`): it takes one that it
 * hasn't sampled for empty, and may then read all of its rows for each that it looks up.
 */
export async function withLookups<T>(tx: Transaction, work: () => Promise<T>): Promise<T> {
  await tx`set local enable_nestloop = on`;
  const result = await work(); // if it throws, the transaction ends
  await tx`set local enable_nestloop to default`;
  return result;
}
