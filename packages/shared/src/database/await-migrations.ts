import postgres, { type Sql } from "postgres";

import { isConnectionFailure } from "./failure.ts";
import type { Schema } from "./migrate.ts";
import { readMigrations } from "./migration-files.ts";

const { PostgresError } = postgres;

const LOOK_MS = 200;
const UNDEFINED_TABLE = "42P01";

interface WaitOptions {
  log: { warn(what: object, message: string): void };
  patienceMs?: number;
  /** Minimum time between log messages about what is missing; the first is written at once. */
  logEveryMs?: number;
}

/**
 * Waits until every migration of `schema` has been applied. A service calls this before it serves. An older service finds
 * the older texts of its repeatable migrations among the applied ones.
 * @returns whether the schema's tables are distributed over several servers
 * @throws {Error} after `patienceMs`, naming the first missing migration, or why none could be looked up
 */
export async function awaitMigrations(
  url: string,
  schema: Schema,
  { log, patienceMs = 60_000, logEveryMs = 10_000 }: WaitOptions,
): Promise<boolean> {
  const { numbered, repeatable } = await readMigrations(schema.migrations);
  const wanted = [...numbered, ...repeatable].map(({ name }) => name);
  const sql = postgres(url, { max: 1, connect_timeout: 2, onnotice: () => undefined });
  const deadline = Date.now() + patienceMs;
  let nextLogAt = 0;
  try {
    for (;;) {
      const { missing, cause } = await firstMissing(sql, schema.name, wanted);
      if (missing === undefined) return await isDistributed(sql);
      const now = Date.now();
      if (now >= deadline) throw lacking(schema, missing, cause);
      if (now >= nextLogAt) {
        logMissing(log, missing, cause);
        nextLogAt = now + logEveryMs;
      }
      await Bun.sleep(LOOK_MS);
    }
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** `distribute` gives the roles of distributed schemas this setting. */
async function isDistributed(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ distributed: boolean }[]>`
    select coalesce(current_setting('citus.propagate_set_commands', true) = 'local', false) as distributed
  `;
  return row?.distributed ?? false;
}

function logMissing(log: WaitOptions["log"], missing: string, cause: unknown): void {
  if (isConnectionFailure(cause)) log.warn({ error: cause }, "waiting for the database");
  else
    log.warn(
      { migration: missing, ...(!isNotYetThere(cause) && { error: cause }) },
      "waiting for migrations",
    );
}

/** Checks that a lookup succeeded, or failed only because no migration has run yet. */
function isNotYetThere(cause: unknown): boolean {
  return cause === undefined || (cause instanceof PostgresError && cause.code === UNDEFINED_TABLE);
}

function lacking({ name }: Schema, missing: string, cause: unknown): Error {
  const reason = cause instanceof Error ? ` (${cause.message})` : "";
  return new Error(`schema ${name} needs the migration ${missing}; run migrations${reason}`, { cause });
}

/**
 * Returns the first of `wanted` that hasn't been applied. If the lookup fails, returns the very first and the cause.
 */
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
