/**
 * Writes a backup of the whole database to standard output while the services run. `DATABASE_URL` connects as the
 * database's owner. The gzipped backup is a consistent snapshot: one JSON line of metadata, then for each table one
 * JSON line and its rows in `COPY` format. Secrets stay sealed, as in the database.
 */
import { databaseUrl, loadConfig } from "@leeway/shared/platform/config";
import { PLAIN_VALUES } from "@leeway/shared/database/plain-values";
import { UNHURRIED } from "@leeway/shared/database/unhurried";
import postgres from "postgres";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";

import { migrationsOf, tablesOf } from "./backup-tables.ts";
import { within } from "./within.ts";

const END_OF_ROWS = "\\.\n";
const SILENCE_MS = 120_000;

async function main(): Promise<void> {
  const { DATABASE_URL: url } = loadConfig(
    { DATABASE_URL: databaseUrl("PostgreSQL, as the database's owner") },
    process.env,
  );
  if (process.stdout.isTTY) throw new Error("a backup is no text: send it to a file");
  const connection = { ...PLAIN_VALUES, ...UNHURRIED };
  const sql = postgres(url, { max: 1, onnotice: () => undefined, connection });
  await sql.begin("isolation level repeatable read read only", async (tx) => {
    // Exits directly, because a silent server wouldn't answer a rollback either.
    await pipeline(Readable.from(parts(tx)), createGzip(), process.stdout).catch(fail);
  });
  await sql.end();
}

async function* parts(tx: postgres.TransactionSql): AsyncGenerator<string | Uint8Array> {
  const [moment] = await answered(tx<{ at: string }[]>`select now()::text as at`);
  yield line({ leeway_backup: 1, taken_at: moment?.at, migrations: await answered(migrationsOf(tx)) });
  for (const table of await answered(tablesOf(tx))) {
    yield line(table);
    const rows = tx`select ${tx(table.columns)} from ${tx(table.name)}`;
    yield* chunksOf(await answered(tx`copy (${rows}) to stdout`.readable()));
    yield END_OF_ROWS;
  }
}

async function* chunksOf(copied: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const chunks = copied[Symbol.asyncIterator]();
  for (let next = await answered(chunks.next()); next.done !== true; next = await answered(chunks.next()))
    yield next.value;
}

/** Rejects when PostgreSQL doesn't answer in time. Time that the backup's reader takes doesn't count. */
function answered<T>(answer: PromiseLike<T>): Promise<T> {
  return within(SILENCE_MS, answer, `PostgreSQL hasn't answered for ${SILENCE_MS / 1000} seconds`);
}

function line(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}

function fail(error: unknown): never {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

main().catch(fail);
