import type { Statements } from "@leeway/shared/database/database";

/** Counts the resources of all organizations: live ones by their match, and missing ones. */
export async function matchCounts(sql: Statements): Promise<Record<string, number>> {
  const [row] = await sql<Record<string, string>>`
    select matched, undeclared, unchecked, excluded, missing from inventory.match_counts()
  `;
  return Object.fromEntries(Object.entries(row ?? {}).map(([match, count]) => [match, Number(count)]));
}
