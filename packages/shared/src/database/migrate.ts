import { readdir } from "node:fs/promises";
import { join } from "node:path";

import postgres, { type ISql, type ReservedSql, type Sql } from "postgres";

import { isConnectionFailure } from "./failure.ts";
import { ensureRole } from "./role.ts";
import { UNHURRIED } from "./unhurried.ts";

const { PostgresError } = postgres;

/** A service's part of the database: its schema, its role and the files that build it. */
export interface Schema {
  /** Name of the schema; the role is `leeway_<service>`. */
  name: string;
  service: string;
  /** Folder of `NNNN_verb_what.sql` files, each one transaction, never edited once merged. */
  migrations: string;
  /** Settings of the server for the service's short statements and transactions. */
  settings?: Record<string, string>;
}

const MIGRATION = /^\d{4}_\w+\.sql$/;
const IDENTIFIER = /^[a-z_]+$/;
/** Older ones lack functions that migrations use. */
const OLDEST_SERVER = 17;
const LOCK_POLL_MS = 50;
const LOOK_MS = 200;
const LOCK_PATIENCE_MS = 60_000;
const LOCK_TIMEOUT = "55P03";
const INSUFFICIENT_PRIVILEGE = "42501";
const UNDEFINED_TABLE = "42P01";
const LOCK_ATTEMPTS = 30;
const LOCK_RETRY_MS = 500;

/**
 * Brings every schema up to date: makes it and its role (login, no rights but on this schema), and runs
 * the migrations that haven't run. Any number of processes may call it at once: one works, the others
 * wait and find nothing left to do. `passwords` are the roles', by service; absent keeps what is set.
 * @returns how many migrations ran here
 * @throws {Error} that says which right is wanted where PostgreSQL says only that one is
 */
export async function migrate(
  adminUrl: string,
  schemas: readonly Schema[],
  passwords: Record<string, string> = {},
): Promise<number> {
  const sql = postgres(adminUrl, {
    max: 2,
    onnotice: () => undefined,
    connect_timeout: 10,
    connection: UNHURRIED,
  });
  try {
    const lock = await sql.reserve();
    try {
      const [server] = await lock<{ server_version: string }[]>`show server_version`;
      checkServer(server?.server_version ?? "");
      await takeLock(lock);
      let count = 0;
      for (const schema of schemas) {
        count += await migrateSchema(sql, schema, passwords[schema.service]).catch((error: unknown) => {
          throw deniedOf(error, roleOf(schema));
        });
      }
      return count;
    } finally {
      lock.release();
    }
  } finally {
    await sql.end({ timeout: 5 }); // the advisory lock ends with its connection
  }
}

/** @throws {Error} for the version of a PostgreSQL that Leeway doesn't run on */
export function checkServer(version: string): void {
  if (Number.parseInt(version, 10) < OLDEST_SERVER)
    throw new Error(`PostgreSQL ${version} is too old: Leeway needs ${OLDEST_SERVER} or later`);
}

/** Waits by asking again: a statement that waits would hold a snapshot, and `create index concurrently` waits for those. */
async function takeLock(lock: ReservedSql): Promise<void> {
  const patience = Date.now() + LOCK_PATIENCE_MS;
  while (Date.now() < patience) {
    const [row] = await lock<{ taken: boolean }[]>`
      select pg_try_advisory_lock(hashtextextended('leeway.migrate', 0)) as taken
    `;
    if (row?.taken) return;
    await Bun.sleep(LOCK_POLL_MS);
  }
  throw new Error("another migration has held the lock for a minute");
}

function roleOf({ service }: Schema): string {
  return `leeway_${service}`;
}

/** A refusal of PostgreSQL with what lifts it; any other error as it is. */
function deniedOf(error: unknown, role: string): unknown {
  if (!(error instanceof Error)) return error;
  const { cause = error } = error;
  if (!(cause instanceof PostgresError && cause.code === INSUFFICIENT_PRIVILEGE)) return error;
  const wants = `DATABASE_URL must be of the database's owner, who may make roles (alter role … createrole)`;
  const others = `where another user made ${role}, it takes: grant ${role} to … with admin option`;
  return new Error(`${error.message}: ${wants}; ${others}`, { cause: error });
}

async function migrateSchema(sql: Sql, schema: Schema, password: string | undefined): Promise<number> {
  const role = roleOf(schema);
  if (!IDENTIFIER.test(schema.name) || !IDENTIFIER.test(role))
    throw new Error(`${schema.name} can't name a schema`);
  await ensureRole(sql, role, password);
  await sql`create schema if not exists ${sql(schema.name)}`;
  await sql`
    create table if not exists ${sql(schema.name)}.migrations (
      name text primary key,
      applied_at timestamptz not null default now()
    )
  `;
  await sql.unsafe(isolateProcedure(schema.name, role));
  await sql`grant usage on schema ${sql(schema.name)} to ${sql(role)}`;
  await sql.unsafe(
    `do $$ begin execute format('grant temporary on database %I to ${role}', current_database()); end $$`,
  );
  await sql`grant select on ${sql(schema.name)}.migrations to ${sql(role)}`;
  const applied = await sql<{ name: string }[]>`select name from ${sql(schema.name)}.migrations`;
  const known = new Set(applied.map(({ name }) => name));
  const pending = (await migrationFiles(schema.migrations)).filter((name) => !known.has(name));
  for (const name of pending) await apply(sql, schema, name);
  return pending.length;
}

/** A failure of a migration in words that name it, and say what is to be done where its locks were somebody else's. */
function failedIn(name: string, error: unknown, locked: boolean): Error {
  const said = error instanceof Error ? error.message : String(error);
  const advice = locked ? ": a backup or somebody else uses its tables; run migrations again after that" : "";
  return new Error(`${name}: ${said}${advice}`, { cause: error });
}

/** A migration waits a second for its locks, since whoever comes after it waits too, and then tries again. */
async function apply(sql: Sql, schema: Schema, name: string): Promise<void> {
  const statements = await Bun.file(join(schema.migrations, name)).text();
  for (let attempt = 1; ; attempt += 1) {
    try {
      await sql.begin(async (tx) => {
        await tx`set local lock_timeout = '1s'`;
        await tx`insert into ${tx(schema.name)}.migrations (name) values (${name})`;
        await tx.unsafe(statements);
        const [open] = await openTenantTables(tx, schema.name);
        if (open !== undefined) throw new Error(`it leaves ${open} open: call isolate('…') for it`);
      });
      return;
    } catch (error) {
      const locked = error instanceof PostgresError && error.code === LOCK_TIMEOUT;
      if (!locked || attempt === LOCK_ATTEMPTS) throw failedIn(`${schema.name}/${name}`, error, locked);
      await Bun.sleep(LOCK_RETRY_MS);
    }
  }
}

/**
 * Tables and views with an `org_id` that row-level security doesn't close for everyone. A partition is
 * closed by its table, a view that looks with its reader's rights by what it looks at.
 */
export async function openTenantTables(sql: ISql, schema: string): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select format('%I.%I', n.nspname, c.relname) as name
      from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      join pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id' and not a.attisdropped
     where n.nspname = ${schema}
       and c.relkind in ('r', 'p', 'm', 'f', 'v')
       and not c.relispartition
       and not (c.relkind = 'v' and coalesce(c.reloptions::text, '') ~ 'security_invoker=(true|on|1)')
       and not (c.relrowsecurity and c.relforcerowsecurity
                and exists (select 1 from pg_policy p where p.polrelid = c.oid and p.polname = 'tenant'))
     order by name
  `;
  return rows.map(({ name }) => name);
}

/**
 * `call <schema>.isolate('<table>')` closes a tenant table: its role reads and writes the rows of the
 * organization that the statement was sent for, and without one it fails. It is looked up once a statement,
 * being a subquery, not once a row. Only the owner, who migrates and whose functions look across
 * organizations, sees all.
 */
function isolateProcedure(schema: string, role: string): string {
  return `
    create or replace procedure ${schema}.isolate(relation text) language plpgsql as $$
    begin
      execute format('alter table ${schema}.%I enable row level security, force row level security', relation);
      execute format('create policy tenant on ${schema}.%I to ${role} using (org_id = (select current_setting(''app.org_id'')::uuid))', relation);
      execute format('create policy owner on ${schema}.%I to current_user using (true)', relation);
      execute format('grant select, insert, update, delete on ${schema}.%I to ${role}', relation);
    end $$`;
}

/** The migrations of a folder in the order in which they run. */
export async function migrationFiles(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql"));
  const wrong = names.find((name) => !MIGRATION.test(name));
  if (wrong !== undefined) throw new Error(`${wrong}: a migration is named NNNN_verb_what.sql`);
  return names.toSorted();
}

interface WaitOptions {
  log: { warn(what: object, message: string): void };
  patienceMs?: number;
  /** What it waits for is told at once, and then this seldom. */
  tellMs?: number;
}

/**
 * Waits until every migration that `schema` ships has been applied; a service calls it before it serves.
 * @throws {Error} after `patienceMs`, naming the first that is missing, or why none could be looked up
 */
export async function awaitMigrations(
  url: string,
  schema: Schema,
  { log, patienceMs = 60_000, tellMs = 10_000 }: WaitOptions,
): Promise<void> {
  const wanted = await migrationFiles(schema.migrations);
  const sql = postgres(url, { max: 1, connect_timeout: 2, onnotice: () => undefined });
  const deadline = Date.now() + patienceMs;
  let nextTold = 0;
  try {
    for (;;) {
      const { missing, cause } = await firstMissing(sql, schema.name, wanted);
      if (missing === undefined) return;
      const now = Date.now();
      if (now >= deadline) throw lacking(schema, missing, cause);
      if (now >= nextTold) {
        tellWhy(log, missing, cause);
        nextTold = now + tellMs;
      }
      await Bun.sleep(LOOK_MS);
    }
  } finally {
    await sql.end({ timeout: 1 });
  }
}

function tellWhy(log: WaitOptions["log"], missing: string, cause: unknown): void {
  if (isConnectionFailure(cause)) log.warn({ error: cause }, "waiting for the database");
  else
    log.warn(
      { migration: missing, ...(!isNotYetThere(cause) && { error: cause }) },
      "waiting for migrations",
    );
}

/** Whether a look-up failed of nothing else than that no migration has run, if it did. */
function isNotYetThere(cause: unknown): boolean {
  return cause === undefined || (cause instanceof PostgresError && cause.code === UNDEFINED_TABLE);
}

function lacking({ name }: Schema, missing: string, cause: unknown): Error {
  const reason = cause instanceof Error ? ` (${cause.message})` : "";
  return new Error(`schema ${name} lacks the migration ${missing}${reason}`, { cause });
}

/** The first of `wanted` that hasn't been applied; the very first, and why, where that can't be looked up. */
async function firstMissing(
  sql: Sql,
  name: string,
  wanted: string[],
): Promise<{ missing: string | undefined; cause?: unknown }> {
  try {
    const applied = await sql<{ name: string }[]>`select name from ${sql(name)}.migrations`;
    const known = new Set(applied.map((row) => row.name));
    return { missing: wanted.find((migration) => !known.has(migration)) };
  } catch (cause) {
    return { missing: wanted[0], cause };
  }
}
