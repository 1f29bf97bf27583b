/**
 * Puts every stored secret under the current master key: `DATABASE_URL` as the database's owner,
 * `LEEWAY_MASTER_KEYS` with the new key first and the old ones behind it, as the services have it already.
 * Safe to run while they run, and again. The old keys may go once it says that nothing failed.
 */
import { databaseUrl, loadConfig, variable } from "@leeway/shared/config";
import { parseKeyRing } from "@leeway/shared/encryption/keyring";
import { rewrapColumns, type Progress } from "@leeway/shared/encryption/rewrap";

import { SEALED } from "./sealed-columns.ts";

const VARIABLES = {
  DATABASE_URL: databaseUrl("PostgreSQL, as the owner of the tables"),
  LEEWAY_MASTER_KEYS: variable("Master keys, the current one first", parseKeyRing),
};

/** @returns whether every secret is under the current key now */
async function main(): Promise<boolean> {
  const { DATABASE_URL, LEEWAY_MASTER_KEYS: ring } = loadConfig(VARIABLES, process.env);
  const outcomes = await rewrapColumns(DATABASE_URL, ring, SEALED, teller());
  for (const { table, column, current, rewrapped, overtaken, failed } of outcomes) {
    console.log(
      `${table}.${column}: ${rewrapped} put under ${ring.current.id}, ${current} were, ` +
        `${overtaken} written meanwhile, ${failed.length} failed`,
    );
  }
  return outcomes.every(({ failed }) => failed.length === 0);
}

/** Says of each column at every tenth how far it is, and which rows don't open. */
function teller(): (progress: Progress) => void {
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
