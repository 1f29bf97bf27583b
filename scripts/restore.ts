/**
 * Restores a backup from standard input into a migrated, empty database, in one transaction. `DATABASE_URL` connects
 * as the database's owner. Sessions aren't restored, so people sign in again. Start the services afterwards.
 */
import { databaseUrl, loadConfig } from "@leeway/shared/platform/config";
import { UNHURRIED } from "@leeway/shared/database/unhurried";
import { isObject, text, type JsonObject } from "@leeway/shared/values/json";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import postgres from "postgres";

import { migrationsOf, tablesOf, type Table } from "./backup-tables.ts";
import { linesOf } from "./lines.ts";

const END_OF_ROWS = "\\.";
const CHARACTERS_A_WRITE = 1 << 16;
const PARTITION = /^[a-z_]+\.[a-z_0-9]+$/;
const NO_BACKUP = "this is no backup of Leeway";
const CUT_OFF = "the backup breaks off";
/** Bounds by id or timestamp. */
const BOUNDS = /^FOR VALUES FROM \('[0-9a-f :.+-]+'\) TO \('[0-9a-f :.+-]+'\)$/;

async function main(): Promise<void> {
  const { DATABASE_URL: url } = loadConfig(
    { DATABASE_URL: databaseUrl("PostgreSQL, as the database's owner") },
    process.env,
  );
  const sql = postgres(url, { max: 1, onnotice: () => undefined, connection: UNHURRIED });
  const said = await sql.begin((tx) =>
    pipeline(process.stdin, createGunzip(), (bytes) => restore(tx, linesOf(bytes))).catch(explain),
  );
  await sql.end();
  console.log(said);
}

async function restore(tx: postgres.TransactionSql, lines: AsyncIterator<string>): Promise<string> {
  const head = objectIn(await next(lines));
  if (head["leeway_backup"] !== 1) throw new Error(NO_BACKUP);
  await check(tx, head);
  const tables = new Map((await tablesOf(tx)).map((table) => [table.name, table]));
  let count = 0;
  for (let { value, done } = await lines.next(); !done; { value, done } = await lines.next()) {
    const saved = objectIn(value);
    const name = text(saved, "name") ?? "";
    const table = tables.get(name);
    if (!table) throw new Error(`there is no table ${name}`);
    await addPartitions(tx, table, saved);
    count += await unforced(tx, table, () => fill(tx, table, lines));
    tables.delete(table.name);
  }
  if (tables.size > 0) throw new Error(CUT_OFF);
  await tx`delete from identity.sessions`; // includes sessions that ended after the backup
  await tx`delete from identity.sign_in_links`; // includes links that were used after the backup
  return `${count} rows of ${text(head, "taken_at") ?? ""} are restored.`;
}

/** Checks that the database is empty and has the migrations of the backup's release. */
async function check(tx: postgres.TransactionSql, { migrations }: JsonObject): Promise<void> {
  const here = await migrationsOf(tx);
  if (JSON.stringify(here) !== JSON.stringify(migrations))
    throw new Error("the backup is of another release: restore it with that one, and upgrade then");
  for (const { name } of await tablesOf(tx)) {
    const [row] = await tx`select 1 from ${tx(name)} limit 1`;
    if (row) throw new Error(`${name} isn't empty: a backup goes into a new database`);
  }
}

/** Adds partitions for dates that a new database has none for. */
async function addPartitions(tx: postgres.TransactionSql, table: Table, saved: JsonObject): Promise<void> {
  const known = new Set(table.partitions.map(({ name }) => name));
  for (const partition of Array.isArray(saved["partitions"]) ? saved["partitions"] : []) {
    const { name = "", bounds = "" } = isObject(partition)
      ? { name: text(partition, "name"), bounds: text(partition, "bounds") }
      : {};
    if (known.has(name)) continue;
    if (!PARTITION.test(name) || !BOUNDS.test(bounds)) throw new Error("not a partition");
    await tx.unsafe(`create table ${name} partition of ${table.name} ${bounds}`);
  }
}

/**
 * Suspends forced row-level security during the work. `COPY` can't fill a table whose owner is subject to it, and
 * only superusers are exempt.
 */
async function unforced<T>(tx: postgres.TransactionSql, { name }: Table, work: () => Promise<T>): Promise<T> {
  const [forced] = await tx`select 1 from pg_class where oid = ${name}::regclass and relforcerowsecurity`;
  if (!forced) return work();
  await tx`alter table ${tx(name)} no force row level security`;
  const result = await work();
  await tx`alter table ${tx(name)} force row level security`;
  return result;
}

/** @returns the number of rows */
async function fill(
  tx: postgres.TransactionSql,
  table: Table,
  lines: AsyncIterator<string>,
): Promise<number> {
  const copy = await tx`copy ${tx(table.name)} (${tx(table.columns)}) from stdin`.writable();
  let rows = 0;
  await pipeline(async function* () {
    let held = "";
    for (let row = await next(lines); row !== END_OF_ROWS; row = await next(lines)) {
      rows += 1;
      held += `${row}\n`;
      if (held.length <= CHARACTERS_A_WRITE) continue;
      yield held;
      held = "";
    }
    yield held;
  }, copy);
  return rows;
}

async function next(lines: AsyncIterator<string>): Promise<string> {
  const { value, done } = await lines.next();
  if (done === true) throw new Error(CUT_OFF);
  return value;
}

function objectIn(line: string): JsonObject {
  try {
    const value: unknown = JSON.parse(line);
    if (isObject(value)) return value;
  } catch {
    // Reported below.
  }
  throw new Error(NO_BACKUP);
}

/** Translates zlib's errors into a message about the backup. */
function explain(error: Error & { code?: string }): never {
  if (error.code === "Z_BUF_ERROR") throw new Error(CUT_OFF, { cause: error });
  if (error.message === "incorrect header check") throw new Error(NO_BACKUP, { cause: error });
  if (error.code === "Z_DATA_ERROR") throw new Error("the backup is damaged", { cause: error });
  throw error;
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
