import { afterAll, beforeAll, expect, test } from "bun:test";

import { databaseUrl, loadConfig } from "@leeway/shared/config";
import { openDatabase, type Database } from "@leeway/shared/database/database";
import postgres, { type Sql } from "postgres";

import { figure } from "./figure.ts";
import { BACK_LIMIT_MS } from "./promised.ts";
import { startPostgres, type Server } from "./servers.ts";
import { until } from "./until.ts";

const TEST_MS = 60_000;
const PATIENCE_MS = 10_000;

let first: Server;
let second: Server;
let database: Database;

beforeAll(async () => {
  [first, second] = await Promise.all([startPostgres(), startPostgres()]);
  for (const server of [first, second])
    await asAdmin(server, (admin) => admin`create role leeway_standby login password 'chaos'`);
  await standBy(first);
  const hosts = [first, second].map(({ url }) => new URL(url).host);
  const { DATABASE_URL: url } = loadConfig(
    { DATABASE_URL: databaseUrl("both") },
    { DATABASE_URL: `postgres://leeway_standby:chaos@${hosts.join()}/postgres` },
  );
  database = openDatabase({ url, service: "standby" });
}, TEST_MS);

afterAll(async () => {
  await database.close();
  await Promise.all([first.remove(), second.remove()]);
}, TEST_MS);

async function asAdmin(server: Server, work: (admin: Sql) => PromiseLike<unknown>): Promise<void> {
  const admin = postgres(server.url, { max: 1 });
  await work(admin);
  await admin.end();
}

/** Has a server take no writes, as a standby, or take them again. */
function standBy(server: Server, on = true): Promise<void> {
  return asAdmin(server, async (admin) => {
    await admin.unsafe(`alter system set default_transaction_read_only = ${on ? "on" : "off"}`);
    await admin`select pg_reload_conf()`;
  });
}

async function write(): Promise<boolean> {
  return database.system`create temporary table if not exists written (id int)`.then(
    () => true,
    () => false,
  );
}

test(
  "of two PostgreSQL servers the one that takes writes is used, also once they have changed places",
  async () => {
    expect(await until(write, PATIENCE_MS)).toBeLessThan(BACK_LIMIT_MS);
    await standBy(second);
    await standBy(first, false);
    const backMs = await until(write, PATIENCE_MS);
    figure(`writes go to the other server ${Math.round(backMs)} ms after they have changed places`);
    expect(backMs).toBeLessThan(BACK_LIMIT_MS);
  },
  TEST_MS,
);
