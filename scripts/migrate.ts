/**
 * Makes or updates every schema and role: `DATABASE_URL` as the database's owner, who may make roles, and
 * `LEEWAY_ROLE_PASSWORDS` (`service:password`, separated by commas; a role left out keeps what it has).
 * Safe to run from any number of places at once, and again; services wait for it.
 */
import { databaseUrl, list, loadConfig } from "@leeway/shared/config";
import { migrate } from "@leeway/shared/database/migrate";

import { SCHEMAS } from "./schemas.ts";

const VARIABLES = {
  DATABASE_URL: databaseUrl("PostgreSQL, as the database's owner"),
  LEEWAY_ROLE_PASSWORDS: list("Passwords of the services' roles, `service:password`"),
};

async function main(): Promise<void> {
  const { DATABASE_URL, LEEWAY_ROLE_PASSWORDS: given } = loadConfig(VARIABLES, process.env);
  const count = await migrate(DATABASE_URL, SCHEMAS, Object.fromEntries(given.map(passwordOf)));
  console.log(count === 0 ? "Every schema is up to date." : `${count} migrations ran.`);
}

function passwordOf(pair: string): [service: string, password: string] {
  const colon = pair.indexOf(":");
  const [service, password] = [pair.slice(0, colon), pair.slice(colon + 1)];
  // PostgreSQL takes an empty one for none, and lets nobody in any more.
  if (password !== "" && SCHEMAS.some((schema) => schema.service === service)) return [service, password];
  throw new Error("configuration: LEEWAY_ROLE_PASSWORDS must be service:password, separated by commas");
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
