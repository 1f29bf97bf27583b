import { createHash } from "node:crypto";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import postgres, { type Sql } from "postgres";

import { connectBus, type BusConnection } from "./bus/connection.ts";
import { serviceUrl } from "./bus/service-user.ts";
import { openDatabase, type Database } from "./database/database.ts";
import { migrate, migrationFiles, type Schema } from "./database/migrate.ts";
import { createLogger } from "./telemetry/log.ts";

const ROLE_PASSWORD = "test";

/** A database of a test's own, migrated, with a door for each service's role. */
export interface TestDatabase {
  /** As a superuser, whom row-level security doesn't hold back. */
  admin: Sql;
  adminUrl: string;
  urlOf(service: string): string;
  open(service: string): Database;
  drop(): Promise<void>;
}

/** Where the tests' servers are; the test runner's preload sets both. */
export function testServers(): { databaseUrl: string; natsUrl: string } {
  const { LEEWAY_TEST_DATABASE_URL: databaseUrl, LEEWAY_TEST_NATS_URL: natsUrl } = Bun.env;
  if (!databaseUrl || !natsUrl)
    throw new Error("the tests' servers aren't there: run them with `bun test` here");
  return { databaseUrl, natsUrl };
}

/** A fresh copy of a database that was migrated once for all tests with the same migrations. */
export async function testDatabase(
  schemas: readonly Schema[],
  { databaseUrl }: { databaseUrl: string } = testServers(),
): Promise<TestDatabase> {
  const template = await templateFor(databaseUrl, schemas);
  const name = `test_${crypto.randomUUID().replaceAll("-", "")}`;
  // Half the work of going through the log: nobody writes to the template.
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

/** A schema of a test's own, with the migrations of `files` by their names. */
export async function testSchema(name: string, files: Record<string, string>): Promise<Schema> {
  const migrations = await mkdtemp(join(tmpdir(), "leeway-migrations-"));
  for (const [file, statements] of Object.entries(files)) await Bun.write(join(migrations, file), statements);
  return { name, service: name, migrations };
}

/** A schema as it was before its migration `first`. */
export async function schemaBefore({ name, migrations }: Schema, first: string): Promise<Schema> {
  const files = (await migrationFiles(migrations)).filter((file) => file < first);
  const texts = files.map(async (file) => [file, await Bun.file(join(migrations, file)).text()]);
  return testSchema(name, Object.fromEntries(await Promise.all(texts)));
}

/** Runs a program of its own, which imports as a file of this folder would, to its end. */
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

/** What `work` fails with. @throws {Error} when it doesn't */
export async function failureOf(work: PromiseLike<unknown>): Promise<unknown> {
  const { value, failed } = await work.then(
    (value) => ({ value, failed: false }),
    (value: unknown) => ({ value, failed: true }),
  );
  if (!failed) throw new Error("it succeeded", { cause: value });
  return value;
}

/** The tests' NATS server, with the rights of `service` alone where the server is ours. */
export function serviceBusUrl(service: string): string {
  const { natsUrl } = testServers();
  return /^worker\d+$/.test(new URL(natsUrl).username) ? serviceUrl(natsUrl, service) : natsUrl;
}

/** A connection to the tests' NATS server with the rights of `service` alone. */
export function serviceBus(service: string): Promise<BusConnection> {
  return connectBus({ url: serviceBusUrl(service), name: `leeway-${service}`, log: testLog() });
}

/** A connection to the tests' NATS server that may do everything. */
export function testBus(name = "test"): Promise<BusConnection> {
  return connectBus({ url: testServers().natsUrl, name, log: testLog() });
}

/** A logger that says only what is an error. */
export function testLog(): ReturnType<typeof createLogger> {
  return createLogger("test", "error");
}

/** The template is named by what its migrations say, so that a changed one makes a new template. */
async function templateFor(databaseUrl: string, schemas: readonly Schema[]): Promise<string> {
  const digest = createHash("sha256");
  for (const { migrations } of schemas) {
    for (const file of await migrationFiles(migrations)) {
      digest.update(`${file}\n${await Bun.file(`${migrations}/${file}`).text()}`);
    }
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
