import postgres, { type ISql, type ReservedSql, type Sql } from "postgres";

import { recordBaseline } from "./baseline.ts";
import { isRepeatable, pathOf, readMigrations, split, type Migration } from "./migration-files.ts";
import { ensureRole } from "./role.ts";
import { UNHURRIED } from "./unhurried.ts";

const { PostgresError } = postgres;

/** A service's part of the database: its schema, its role and its migrations. */
export interface Schema {
  /** Name of the schema. The role is `leeway_<service>`. */
  name: string;
  service: string;
  /**
   * Folder of `NNNN_verb_what.sql` files, never edited once merged. Each runs in one transaction. `NNNN_baseline.sql`
   * stands for all files up to its number. The files in its folder
   * `repeatable` run after them, when they have changed.
   */
  migrations: string;
  /** Tables that stay on the coordinator of a distributed database, with the reason. All others are distributed by `org_id`. */
  local?: Readonly<Record<string, string>>;
  /** Server settings for the service's short statements and transactions. */
  settings?: Record<string, string>;
}

const IDENTIFIER = /^[a-z_]+$/;
/** Oldest supported version. Older ones lack functions that migrations use. */
const OLDEST_SERVER = 17;
const LOCK_POLL_MS = 50;
const LOCK_PATIENCE_MS = 60_000;
const LOCK_TIMEOUT = "55P03";
const INSUFFICIENT_PRIVILEGE = "42501";
const LOCK_ATTEMPTS = 30;
const LOCK_RETRY_MS = 500;

/**
 * Brings every schema up to date: creates it and its role (login, with rights on this schema only), and runs pending
 * and changed migrations. Any number of processes may call this at once: one migrates, the others wait and then find nothing to
 * do.
 * @param passwords the roles' passwords by service; an absent one keeps the role's current password
 * @returns the number of migrations that this call ran
 * @throws {Error} naming the missing privilege if PostgreSQL denies one
 */
export async function migrate(
  adminUrl: string,
  schemas: readonly Schema[],
  passwords: Record<string, string> = {},
): Promise<number> {
  return underLock(adminUrl, async (sql) => {
    let count = 0;
    for (const schema of schemas) {
      count += await migrateSchema(sql, schema, passwords[schema.service]).catch((error: unknown) => {
        throw deniedOf(error, roleOf(schema));
      });
    }
    return count;
  });
}

/** Runs `work` while no other process migrates the database. */
export async function underLock<T>(adminUrl: string, work: (sql: Sql) => Promise<T>): Promise<T> {
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
      return await work(sql);
    } finally {
      lock.release();
    }
  } finally {
    await sql.end({ timeout: 5 }); // closing the connection releases the advisory lock
  }
}

/** @throws {Error} naming the version if Leeway doesn't support it */
export function checkServer(version: string): void {
  if (Number.parseInt(version, 10) < OLDEST_SERVER)
    throw new Error(`PostgreSQL ${version} isn't supported; Leeway needs ${OLDEST_SERVER} or later`);
}

/**
 * Takes the migration lock by polling. A waiting statement would hold a snapshot, which would block
 * `create index concurrently`.
 */
async function takeLock(lock: ReservedSql): Promise<void> {
  const patience = Date.now() + LOCK_PATIENCE_MS;
  while (Date.now() < patience) {
    const [row] = await lock<{ taken: boolean }[]>`
      select pg_try_advisory_lock(hashtextextended('leeway.migrate', 0)) as taken
    `;
    if (row?.taken) return;
    await Bun.sleep(LOCK_POLL_MS);
  }
  throw new Error("another migration has held the lock for a minute; wait for it to finish");
}

function roleOf({ service }: Schema): string {
  return `leeway_${service}`;
}

/** Adds the remedy to a denied privilege; returns any other error unchanged. */
function deniedOf(error: unknown, role: string): unknown {
  if (!(error instanceof Error)) return error;
  const { cause = error } = error;
  if (!(cause instanceof PostgresError && cause.code === INSUFFICIENT_PRIVILEGE)) return error;
  const wants =
    "DATABASE_URL must belong to the database's owner with permission to create roles (alter role … createrole)";
  const others = `if another user created ${role}, run: grant ${role} to … with admin option`;
  return new Error(`${error.message}: ${wants}; ${others}`, { cause: error });
}

async function migrateSchema(sql: Sql, schema: Schema, password: string | undefined): Promise<number> {
  const role = roleOf(schema);
  if (!IDENTIFIER.test(schema.name) || !IDENTIFIER.test(role))
    throw new Error(`${schema.name} can't be used as a schema name`);
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
  const { numbered, repeatable } = await readMigrations(schema.migrations);
  await recordBaseline(sql, schema.name, { numbered, applied: await appliedMigrations(sql, schema) });
  const known = new Set(await appliedMigrations(sql, schema));
  const pending = numbered.filter(({ name }) => !known.has(name));
  for (const migration of pending) await apply(sql, schema, [migration]);
  const changed = changedSince(await appliedMigrations(sql, schema), repeatable);
  if (changed.length > 0) await apply(sql, schema, changed);
  return pending.length + changed.length;
}

/** Returns the names of the applied migrations, the latest first. */
async function appliedMigrations(sql: Sql, schema: Schema): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select name from ${sql(schema.name)}.migrations order by applied_at desc, name
  `;
  return rows.map(({ name }) => name);
}

/**
 * Returns the repeatable migrations whose text isn't the one applied last. All of them follow a numbered migration, which
 * may have dropped a view or function.
 */
function changedSince(applied: readonly string[], repeatable: readonly Migration[]): Migration[] {
  const lastNumbered = applied.findIndex((name) => !isRepeatable(name));
  const since = lastNumbered === -1 ? applied : applied.slice(0, lastNumbered);
  return repeatable.filter(({ name }) => since.find((other) => pathOf(other) === pathOf(name)) !== name);
}

/** Returns an error that names the failed migration and, if it couldn't get its locks, says what to do. */
function failedIn(name: string, error: unknown, locked: boolean): Error {
  const said = error instanceof Error ? error.message : String(error);
  const advice = locked ? ": its tables are locked, for example by a backup; run migrations again later" : "";
  return new Error(`${name}: ${said}${advice}`, { cause: error });
}

/**
 * Applies migrations in one transaction, retrying while their tables are locked. It waits only a second for its locks,
 * because other statements queue behind it.
 */
async function apply(sql: Sql, schema: Schema, migrations: readonly Migration[]): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    let current = "";
    try {
      await sql.begin(async (tx) => {
        await tx`set local lock_timeout = '1s'`;
        for (const { name, statements } of migrations) {
          current = name;
          await tx`
            insert into ${tx(schema.name)}.migrations (name)
            values (${name})
            on conflict (name) do update set applied_at = excluded.applied_at
          `;
          for (const statement of split(statements)) await tx.unsafe(statement);
        }
        // Functions may work across organizations: each role needs a grant.
        await tx`revoke all on all routines in schema ${tx(schema.name)} from public`;
        const [open] = await openTenantTables(tx, schema.name);
        if (open !== undefined)
          throw new Error(`the tenant table ${open} has no row-level security; call isolate('…') for it`);
      });
      return;
    } catch (error) {
      const locked = error instanceof PostgresError && error.code === LOCK_TIMEOUT;
      if (!locked || attempt === LOCK_ATTEMPTS)
        throw failedIn(`${schema.name}/${pathOf(current)}`, error, locked);
      await Bun.sleep(LOCK_RETRY_MS);
    }
  }
}

/**
 * Lists tables and views with an `org_id` that lack row-level security for everyone. Partitions are covered by their
 * table. Views with `security_invoker` are covered by the tables that they read.
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
 * Returns a procedure: `call <schema>.isolate('<table>')` limits a tenant table's role to rows of the statement's
 * organization. A statement without an organization fails. The setting is in a subquery, so it is read once a
 * statement instead of once a row. Only the owner sees all rows: it migrates, and its functions work across
 * organizations.
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
