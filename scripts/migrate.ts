/**
 * Creates or updates every schema and role, and the streams and durable consumers on NATS. `DATABASE_URL` connects as the
 * database's owner, who may create roles, and `NATS_URL` as the user `operator`. `LEEWAY_ROLE_PASSWORDS` is a
 * comma-separated list of `service:password`; roles that aren't listed keep their password. Concurrent and repeated runs
 * are safe. Services wait for it. `--distributed` also distributes the tables over the workers of a Citus cluster.
 */
import { ensureStreams } from "@leeway/shared/bus/keep-streams";
import { databaseUrl, list, loadConfig } from "@leeway/shared/platform/config";
import { distribute } from "@leeway/shared/database/distribute";
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

async function main([option, ...others]: readonly string[]): Promise<void> {
  if ((option !== undefined && option !== "--distributed") || others.length > 0)
    throw new Error("usage: migrate [--distributed]");
  const config = loadConfig(VARIABLES, process.env);
  const passwords = Object.fromEntries(config.LEEWAY_ROLE_PASSWORDS.map(passwordOf));
  const count = await migrate(config.DATABASE_URL, SCHEMAS, passwords);
  console.log(count === 0 ? "Every schema is up to date." : `${count} migrations ran.`);
  if (option === "--distributed") {
    const distributed = await distribute(config.DATABASE_URL, SCHEMAS);
    console.log(
      distributed === 0 ? "Every table is distributed." : `${distributed} tables are now distributed.`,
    );
  }
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

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
