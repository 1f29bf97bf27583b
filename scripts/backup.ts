/**
 * Writes a backup of the whole database to standard output, while everything runs: `DATABASE_URL` as its owner. It is
 * one moment's: a line of JSON that says what it is of, then of each table a line of JSON and its rows as `COPY`
 * writes them, all of it gzipped. Secrets in it are sealed, as they are in the database.
 */
import { databaseUrl, loadConfig } from "@leeway/shared/config";
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
    // A server that is silent wouldn't answer a rollback either.
    await pipeline(Readable.from(parts(tx)), createGzip(), process.stdout).catch(fail);
  });
  await sql.end();
}

async function* parts(tx: postgres.TransactionSql): AsyncGenerator<string | Uint8Array> {
  const [moment] = await heard(tx<{ at: string }[]>`select now()::text as at`);
  yield line({ leeway_backup: 1, taken_at: moment?.at, migrations: await heard(migrationsOf(tx)) });
  for (const table of await heard(tablesOf(tx))) {
    yield line(table);
    const rows = tx`select ${tx(table.columns)} from ${tx(table.name)}`;
    yield* chunksOf(await heard(tx`copy (${rows}) to stdout`.readable()));
    yield END_OF_ROWS;
  }
}

async function* chunksOf(copied: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const chunks = copied[Symbol.asyncIterator]();
  for (let next = await heard(chunks.next()); next.done !== true; next = await heard(chunks.next()))
    yield next.value;
}

/** Time that the backup's reader takes doesn't count. */
function heard<T>(answer: PromiseLike<T>): Promise<T> {
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
