/**
 * Reseals every stored secret with the current master key of its service. `DATABASE_URL` connects as the database's
 * owner. `LEEWAY_MASTER_KEYS` has the operator's keys, the new one first. The services must already run with their
 * new keys. It can run beside them, and repeatedly. The old keys can be removed once it reports no failure.
 */
import { databaseUrl, loadConfig, variable } from "@leeway/shared/platform/config";
import { parseKeyRing } from "@leeway/shared/security/encryption/keyring";
import type { Progress } from "@leeway/shared/security/encryption/rewrap";

import { rewrapServices, servicesWithoutKey } from "./rewrap-services.ts";

const VARIABLES = {
  DATABASE_URL: databaseUrl("PostgreSQL, as the owner of the tables"),
  LEEWAY_MASTER_KEYS: variable("The operator's master keys, the current one first", parseKeyRing),
};

/** @returns whether every secret is now sealed with the current key */
async function main(): Promise<boolean> {
  const { DATABASE_URL, LEEWAY_MASTER_KEYS: ring } = loadConfig(VARIABLES, process.env);
  const without = await servicesWithoutKey(DATABASE_URL, ring);
  if (without.length > 0) {
    const { id } = ring.current;
    throw new Error(
      `nothing was changed: ${without.join(", ")} must first run with the keys that are derived from ${id}; ` +
        'docs/operations.md, "Change the master key", has the steps',
    );
  }
  const outcomes = await rewrapServices(DATABASE_URL, ring, progressPrinter());
  for (const { table, column, current, rewrapped, overtaken, failed } of outcomes) {
    console.log(
      `${table}.${column}: ${rewrapped} put under a key of ${ring.current.id}, ${current} were, ` +
        `${overtaken} written meanwhile, ${failed.length} failed`,
    );
  }
  return outcomes.every(({ failed }) => failed.length === 0);
}

/** Prints the progress of each column in steps of a tenth, and the rows that can't be opened. */
function progressPrinter(): (progress: Progress) => void {
  const said = new Map<string, number>();
  return ({ table, column, done, all, failed }) => {
    const name = `${table}.${column}`;
    const tenths = Math.floor((done * 10) / all);
    if (said.get(name) !== tenths) console.log(`${name}: ${done} of ${all}`);
    said.set(name, tenths);
    if (failed.length > 0) console.log(`  don't open: ${failed.join(", ")}`);
  };
}

main().then(
  (complete) => process.exit(complete ? 0 : 1),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
