import { createHash } from "node:crypto";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import postgres, { type Sql } from "postgres";

import { connectBus, type BusConnection } from "../bus/connection.ts";
import { ensureStreams } from "../bus/keep-streams.ts";
import { serviceUrl } from "../bus/service-user.ts";
import type { BusParts } from "../bus/streams.ts";
import { openDatabase, type Database } from "../database/database.ts";
import { migrate, type Schema } from "../database/migrate.ts";
import { readMigrations } from "../database/migration-files.ts";
import { busKeys, parseBusKeys, type BusKeys } from "../security/encryption/bus-keys.ts";
import { parseKeyRing } from "../security/encryption/keyring.ts";
import { createLogger } from "../platform/telemetry/log.ts";

const ROLE_PASSWORD = "test";
const MIN_PAUSE_MS = 10;
const MAX_PAUSE_MS = 250;
const SERVICES = ["analyzer", "gateway", "inventory", "quota", "webhooks"];

/** A migrated database for one test, with access for each service's role. */
export interface TestDatabase {
  /** Connection of a superuser, to which row-level security doesn't apply. */
  admin: Sql;
  adminUrl: string;
  urlOf(service: string): string;
  open(service: string): Database;
  drop(): Promise<void>;
}

/** Returns the addresses of the tests' servers. The test runner's preload sets both. */
export function testServers(): { databaseUrl: string; natsUrl: string } {
  const { LEEWAY_TEST_DATABASE_URL: databaseUrl, LEEWAY_TEST_NATS_URL: natsUrl } = Bun.env;
  if (!databaseUrl || !natsUrl)
    throw new Error("the test servers aren't running; start tests with `bun run test`");
  return { databaseUrl, natsUrl };
}

/** Creates a copy of a database that is migrated once for all tests with the same migrations. */
export async function testDatabase(
  schemas: readonly Schema[],
  { databaseUrl }: { databaseUrl: string } = testServers(),
): Promise<TestDatabase> {
  const template = await templateFor(databaseUrl, schemas);
  const name = `test_${crypto.randomUUID().replaceAll("-", "")}`;
  // Half the work of copying through the log. It is safe because no process writes to the template.
  await asAdmin(
    databaseUrl,
    (sql) => sql`create database ${sql(name)} template ${sql(template)} strategy file_copy`,
  );
  const adminUrl = withDatabase(databaseUrl, name);
  const admin = postgres(adminUrl, { max: 2, onnotice: () => undefined });
  const opened: Database[] = [];
  const urlOf = (service: string): string => {
    const url = new URL(adminUrl);
    url.username = `leeway_${service}`;
    url.password = ROLE_PASSWORD;
    return url.href;
  };
  return {
    admin,
    adminUrl,
    urlOf,
    open(service) {
      const database = openDatabase({ url: urlOf(service), service });
      opened.push(database);
      return database;
    },
    async drop() {
      await Promise.all(opened.map((database) => database.close()));
      await admin.end();
      await asAdmin(databaseUrl, (sql) => sql`drop database ${sql(name)} with (force)`);
    },
  };
}

/** Creates a schema for one test, with the migrations of `files` by name. */
export async function testSchema(name: string, files: Record<string, string>): Promise<Schema> {
  const migrations = await mkdtemp(join(tmpdir(), "leeway-migrations-"));
  for (const [file, statements] of Object.entries(files)) await Bun.write(join(migrations, file), statements);
  return { name, service: name, migrations };
}

/** Runs a program to its end in another process. Its imports work like those of a file in this folder. */
export async function runProgram(
  source: string,
  env: Record<string, string> = {},
): Promise<{ exitCode: number; stdout: string; stderr: string }> {
  const child = Bun.spawn([process.execPath, "-e", source], {
    cwd: import.meta.dir,
    env: { ...Bun.env, ...env },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { exitCode: await child.exited, stdout, stderr };
}

/**
 * Pauses between two looks at something that a test has waited for since `started`, a time of `performance.now()`. The
 * longer it waits, the longer the pause, so that waiting takes no processor time from other tests.
 */
export function untilNextLook(started: number): Promise<void> {
  return Bun.sleep(Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, (performance.now() - started) / 10)));
}

/** Returns the failure of `work`. @throws {Error} if it succeeds */
export async function failureOf(work: PromiseLike<unknown>): Promise<unknown> {
  const { value, failed } = await work.then(
    (value) => ({ value, failed: false }),
    (value: unknown) => ({ value, failed: true }),
  );
  if (!failed) throw new Error("it succeeded", { cause: value });
  return value;
}

/** Returns the address of the tests' NATS server, with only the rights of `service` if the server is ours. */
export function serviceBusUrl(service: string): string {
  const { natsUrl } = testServers();
  return /^worker\d+$/.test(new URL(natsUrl).username) ? serviceUrl(natsUrl, service) : natsUrl;
}

/** Connects to the tests' NATS server with only the rights of `service`. */
export function serviceBus(service: string): Promise<BusConnection> {
  const keys = parseBusKeys(testBusKeys(service));
  return connectBus({ url: serviceBusUrl(service), name: `leeway-${service}`, keys, log: testLog() });
}

/** Connects to the tests' NATS server with all rights and the keys of every service. */
export function testBus(name = "test"): Promise<BusConnection> {
  return connectBus({ url: testServers().natsUrl, name, keys: allTestBusKeys(), log: testLog() });
}

/** Returns the keys of every service, for a connection that calls as any of them. */
export function allTestBusKeys(): BusKeys {
  return new Map(SERVICES.flatMap((service) => [...parseBusKeys(testBusKeys(service))]));
}

/** Returns the `LEEWAY_BUS_KEYS` of a service under test. */
export function testBusKeys(service: string): string {
  const ring = parseKeyRing(`test:${Buffer.alloc(32, 9).toString("base64")}`);
  return busKeys(ring, service, SERVICES);
}

/** Creates the streams and consumers of `parts` on the tests' NATS server, as migrations do. */
export async function testStreams(...parts: readonly BusParts[]): Promise<void> {
  const bus = await testBus();
  await ensureStreams(bus, parts);
  await bus.nats.close();
}

/** Returns a logger that logs only errors. */
export function testLog(): ReturnType<typeof createLogger> {
  return createLogger("test", "error");
}

/** Returns the template, whose name is a digest of its migrations. Changed migrations make a new template. */
async function templateFor(databaseUrl: string, schemas: readonly Schema[]): Promise<string> {
  const digest = createHash("sha256");
  for (const { migrations } of schemas) {
    const { numbered, repeatable } = await readMigrations(migrations);
    for (const { name, statements } of [...numbered, ...repeatable]) digest.update(`${name}\n${statements}`);
  }
  const name = `template_${digest.digest("hex").slice(0, 24)}`;
  await asAdmin(databaseUrl, async (sql) => {
    await sql`select pg_advisory_lock(hashtextextended(${name}, 0))`;
    const [existing] = await sql`select 1 from pg_database where datname = ${name}`;
    if (!existing) await makeTemplate(sql, databaseUrl, name, schemas);
  });
  return name;
}

async function makeTemplate(
  sql: Sql,
  databaseUrl: string,
  name: string,
  schemas: readonly Schema[],
): Promise<void> {
  const unfinished = `${name}_new`;
  await sql`drop database if exists ${sql(unfinished)}`;
  await sql`create database ${sql(unfinished)}`;
  const passwords = Object.fromEntries(schemas.map(({ service }) => [service, ROLE_PASSWORD]));
  await migrate(withDatabase(databaseUrl, unfinished), schemas, passwords);
  await sql`alter database ${sql(unfinished)} rename to ${sql(name)}`;
}

async function asAdmin<T>(url: string, work: (sql: Sql) => PromiseLike<T>): Promise<T> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}
