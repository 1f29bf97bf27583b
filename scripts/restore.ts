/**
 * Puts a backup, from standard input, into a database that is migrated and empty, whole or not at all: `DATABASE_URL`
 * as its owner; but for the sessions of people, who sign in anew. Services may be started after it.
 */
import { databaseUrl, loadConfig } from "@leeway/shared/config";
import { UNHURRIED } from "@leeway/shared/database/unhurried";
import { isObject, text, type JsonObject } from "@leeway/shared/json";
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
/** Ids or moments. */
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
  await tx`delete from identity.sessions`; // those that were ended since are among them
  return `${count} rows of ${text(head, "taken_at") ?? ""} are restored.`;
}

/** A backup goes into what its own release has made, and nothing else has been in. */
async function check(tx: postgres.TransactionSql, { migrations }: JsonObject): Promise<void> {
  const here = await migrationsOf(tx);
  if (JSON.stringify(here) !== JSON.stringify(migrations))
    throw new Error("the backup is of another release: restore it with that one, and upgrade then");
  for (const { name } of await tablesOf(tx)) {
    const [row] = await tx`select 1 from ${tx(name)} limit 1`;
    if (row) throw new Error(`${name} isn't empty: a backup goes into a new database`);
  }
}

/** Those of days that a new database has no partitions for. */
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

/** `COPY` fills no table whose row-level security holds its owner, too; only superusers are never held. */
async function unforced<T>(tx: postgres.TransactionSql, { name }: Table, work: () => Promise<T>): Promise<T> {
  const [forced] = await tx`select 1 from pg_class where oid = ${name}::regclass and relforcerowsecurity`;
  if (!forced) return work();
  await tx`alter table ${tx(name)} no force row level security`;
  const result = await work();
  await tx`alter table ${tx(name)} force row level security`;
  return result;
}

/** @returns how many rows there were */
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
    // Told below.
  }
  throw new Error(NO_BACKUP);
}

/** What zlib says of a backup, in our words. */
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
