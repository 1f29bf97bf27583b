/**
 * Sets LEEWAY_TEST_DATABASE_URL (a PostgreSQL superuser) and LEEWAY_TEST_NATS_URL for tests. If they aren't set, the
 * first read of either starts embedded servers for this process, so tests without servers don't wait.
 */
import { hostInfrastructure } from "./local/hosted-infrastructure.ts";
import { forThisWorker } from "./local/workers.ts";

const DATABASE = "LEEWAY_TEST_DATABASE_URL";
const NATS = "LEEWAY_TEST_NATS_URL";

const NAMES = [DATABASE, NATS] as const;

function start(): void {
  const { databaseUrl, natsUrl, stop } = hostInfrastructure({ mayUseDocker: false });
  process.once("exit", () => void stop());
  Object.setPrototypeOf(process.env, Object.prototype);
  process.env[DATABASE] ??= databaseUrl;
  process.env[NATS] ??= natsUrl;
}

/** `process.env` allows no accessors, but falls back to its prototype for missing names. */
const onFirstRead: object = Object.create(Object.prototype);
for (const name of NAMES) {
  if (!process.env[name]) delete process.env[name];
  Object.defineProperty(onFirstRead, name, {
    get: () => {
      start();
      return process.env[name];
    },
    configurable: true,
    set: (value: string) => {
      Reflect.deleteProperty(onFirstRead, name);
      process.env[name] = value;
    },
  });
}
const given = process.env[NATS];
if (given) process.env[NATS] = forThisWorker(given);
if (NAMES.some((name) => process.env[name] === undefined)) Object.setPrototypeOf(process.env, onFirstRead);
