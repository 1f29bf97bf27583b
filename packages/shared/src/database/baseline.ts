import type { Sql } from "postgres";

import { isRepeatable, numberOf, type Migration } from "./migration-files.ts";

const BASELINE = /^\d{4}_baseline\.sql$/;
/** Version with the migrations that the baselines stand for. */
const BEFORE_BASELINES = "commit 08db2622";

/** Leaves out the numbered migrations that the baseline among them stands for: those up to its number. */
export function sinceBaseline(names: readonly string[]): string[] {
  const baseline = names.find((name) => BASELINE.test(name));
  return names.filter(
    (name) => baseline === undefined || name === baseline || numberOf(name) > numberOf(baseline),
  );
}

/**
 * Records the baseline in a database that has the migrations it contains. Their names stay, so that a service which knows
 * them can still start.
 * @param applied names of the applied migrations
 * @throws {Error} naming the version to upgrade to first, if the database has only some of them
 */
export async function recordBaseline(
  sql: Sql,
  schema: string,
  { numbered, applied }: { numbered: readonly Migration[]; applied: readonly string[] },
): Promise<void> {
  const baseline = numbered.find(({ name }) => BASELINE.test(name))?.name;
  const older = applied.filter((name) => !isRepeatable(name)).toSorted();
  const latest = older.at(-1);
  if (baseline === undefined || latest === undefined || older.includes(baseline)) return;
  if (!older.some((name) => numberOf(name) === numberOf(baseline)))
    throw new Error(`${schema} is at ${latest}; run the migrations of ${BEFORE_BASELINES} first`);
  await sql`insert into ${sql(schema)}.migrations (name) values (${baseline})`;
}
