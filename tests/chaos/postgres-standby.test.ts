import { afterAll, beforeAll, expect, test } from "bun:test";

import { databaseUrl, loadConfig } from "@leeway/shared/platform/config";
import { openDatabase, type Database } from "@leeway/shared/database/database";
import { awaitMigrations } from "@leeway/shared/database/await-migrations";
import { ping } from "@leeway/shared/database/ping";
import { failureOf } from "@leeway/shared/testing/testing";
import postgres, { type Sql } from "postgres";

import { SCHEMA } from "../../services/quota/src/schema.ts";
import { figure } from "./figure.ts";
import { ANSWER_LIMIT_MS, BACK_LIMIT_MS, TEST_MS, WAIT_MS } from "./promised.ts";
import { startPostgres, type Server } from "./servers.ts";
import { until } from "./until.ts";

let first: Server;
let second: Server;
let database: Database;
/** URL with both servers. */
let url: string;

beforeAll(async () => {
  [first, second] = await Promise.all([startPostgres(), startPostgres()]);
  for (const server of [first, second])
    await asAdmin(server, (admin) => admin`create role leeway_standby login password 'chaos'`);
  await standBy(first);
  const hosts = [first, second].map(({ url }) => new URL(url).host);
  url = loadConfig(
    { DATABASE_URL: databaseUrl("both") },
    { DATABASE_URL: `postgres://leeway_standby:chaos@${hosts.join()}/postgres` },
  ).DATABASE_URL;
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

/** Makes a server read-only, as a standby is, or writable again. */
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
  "of two PostgreSQL servers the writable one is used, even after they switch roles",
  async () => {
    expect(await until(write, WAIT_MS)).toBeLessThan(BACK_LIMIT_MS);
    await standBy(second);
    await standBy(first, false);
    const backMs = await until(write, WAIT_MS);
    figure(`writes go to the other server ${Math.round(backMs)} ms after they have changed places`);
    expect(backMs).toBeLessThan(BACK_LIMIT_MS);
  },
  TEST_MS,
);

function portOf({ url }: Server): number {
  return Number(new URL(url).port);
}

/** Returns the port of the server behind each connection. */
async function portsOf(connections: number): Promise<Set<number>> {
  const asked = Array.from(
    { length: connections },
    () => database.system<{ port: number }>`select inet_server_port() as port, pg_sleep(0.2)`,
  );
  return new Set((await Promise.all(asked)).map(([row]) => row?.port ?? 0));
}

test(
  "a server that becomes read-only gets no more reads once that is noticed",
  async () => {
    await standBy(second);
    await standBy(first, false);
    await until(write, WAIT_MS);
    await portsOf(4);
    expect(await portsOf(4)).toEqual(new Set([portOf(first)]));
    await standBy(second, false);
    await standBy(first);
    await portsOf(4);
    expect(await portsOf(4)).toEqual(new Set([portOf(second)]));
  },
  TEST_MS,
);

test(
  "without a writable server callers get an error at once, and the first writable one is found",
  async () => {
    await Promise.all([standBy(first), standBy(second)]);
    await until(async () => !(await write()), WAIT_MS);
    const log: unknown[] = [];
    const waiting = awaitMigrations(url, SCHEMA, {
      log: { warn: (_, message) => void log.push(message) },
      patienceMs: 500,
    });
    expect(await failureOf(waiting)).toMatchObject({
      message: expect.stringContaining("CONNECTION_CLOSED"),
    });
    expect(log).toEqual(["waiting for the database"]);
    const started = performance.now();
    expect(await write()).toBe(false);
    expect(await failureOf(ping(database.system))).toMatchObject({ code: "unavailable" });
    expect(performance.now() - started).toBeLessThan(ANSWER_LIMIT_MS / 2);
    await standBy(second, false);
    expect(await until(write, WAIT_MS)).toBeLessThan(BACK_LIMIT_MS);
  },
  TEST_MS,
);
