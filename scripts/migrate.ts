/**
 * Creates or updates every schema and role, and the streams and durable consumers on NATS. `DATABASE_URL` connects as the
 * database's owner, who may create roles, and `NATS_URL` as the user `operator`. `LEEWAY_ROLE_PASSWORDS` is a
 * comma-separated list of `service:password`; roles that aren't listed keep their password. Concurrent and repeated runs
 * are safe. Services wait for it.
 */
import { ensureStreams } from "@leeway/shared/bus/keep-streams";
import { databaseUrl, list, loadConfig } from "@leeway/shared/platform/config";
import { migrate } from "@leeway/shared/database/migrate";
import { STREAM_VARIABLES } from "@leeway/shared/service/server-variables";

import { BUS_PARTS } from "./bus-parts.ts";
import { connectOperator, OPERATOR_VARIABLES } from "./operator-bus.ts";
import { SCHEMAS } from "./schemas.ts";

const VARIABLES = {
  DATABASE_URL: databaseUrl("PostgreSQL, as the database's owner"),
  ...OPERATOR_VARIABLES,
  ...STREAM_VARIABLES,
  LEEWAY_ROLE_PASSWORDS: list("Passwords of the services' roles, `service:password`"),
};

async function main(): Promise<void> {
  const config = loadConfig(VARIABLES, process.env);
  const passwords = Object.fromEntries(config.LEEWAY_ROLE_PASSWORDS.map(passwordOf));
  const count = await migrate(config.DATABASE_URL, SCHEMAS, passwords);
  console.log(count === 0 ? "Every schema is up to date." : `${count} migrations ran.`);
  const bus = await connectOperator(config.NATS_URL);
  try {
    const { NATS_REPLICAS: replicas, NATS_PLACEMENT_TAGS: tags } = config;
    await ensureStreams(bus, BUS_PARTS, { replicas, tags });
  } finally {
    await bus.nats.close();
  }
  console.log("Every stream is up to date.");
}

function passwordOf(pair: string): [service: string, password: string] {
  const colon = pair.indexOf(":");
  const [service, password] = [pair.slice(0, colon), pair.slice(colon + 1)];
  // PostgreSQL treats an empty password as none, and then rejects every login.
  if (password !== "" && SCHEMAS.some((schema) => schema.service === service)) return [service, password];
  throw new Error("configuration: LEEWAY_ROLE_PASSWORDS must be service:password, separated by commas");
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
