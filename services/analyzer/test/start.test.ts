import { expect, test } from "bun:test";

import type { BusConnection } from "@leeway/shared/bus/connection";
import type { Database } from "@leeway/shared/database/database";
import { parseKeyRing } from "@leeway/shared/security/encryption/keyring";
import { testBus, testDatabase, testLog, testStreams, untilNextLook } from "@leeway/shared/testing/testing";
import { unavailable } from "@leeway/shared/values/errors";

import { BUS_PARTS } from "../src/bus-parts.ts";
import { storeJobs } from "../src/jobs/store/jobs.ts";
import { SCHEMA } from "../src/schema.ts";
import { startAnalyzer } from "../src/start.ts";

const AWAY_MS = 1_500;
/** Shorter than three minutes, after which the sweep would start it. */
const BEGUN_LIMIT_MS = 60_000;

const ATTEMPTS = 5;

function start(database: Database, bus: BusConnection, retryMs?: readonly number[]) {
  const ring = parseKeyRing(`k1:${Buffer.alloc(32, 1).toString("base64")}`);
  const settings = { ring, publicBaseUrl: "http://127.0.0.1", ...(retryMs && { retryMs }) };
  return startAnalyzer({ database, bus, log: testLog() }, settings);
}

test("a job that no attempt could read from the database isn't failed, and stays queued", async () => {
  const db = await testDatabase([SCHEMA]);
  const database = db.open(SCHEMA.service);
  await testStreams(BUS_PARTS);
  const bus = await testBus("analyzer");
  let failures = 0;
  const away: Database = {
    ...database,
    org(orgId) {
      if (failures === ATTEMPTS) return database.org(orgId);
      failures += 1;
      throw unavailable("the database can't be reached");
    },
  };
  const analyzer = await start(away, bus, [1, 1, 1, 1]);
  const id = Bun.randomUUIDv7();
  const subject = { kind: "drift_narrative" as const, snapshot_id: crypto.randomUUID() };
  await storeJobs(database.org(crypto.randomUUID()), [{ id, subject }]);
  const stored = performance.now();
  const isGivenUp = (): boolean => failures === ATTEMPTS;
  while (!isGivenUp()) await untilNextLook(stored);
  await analyzer.drain();
  const [job] = await db.admin`select status, attempts, error_code from analyzer.jobs where id = ${id}`;
  expect(job).toEqual({ status: "queued", attempts: 0, error_code: null });
  await bus.nats.close();
  await db.drop();
});

test("jobs held by a killed process are started by the next, even after a database outage", async () => {
  const db = await testDatabase([SCHEMA]);
  const database = db.open(SCHEMA.service);
  await testStreams(BUS_PARTS);
  const bus = await testBus("analyzer");
  const id = Bun.randomUUIDv7();
  const subject = { kind: "drift_narrative" as const, snapshot_id: crypto.randomUUID() };
  await storeJobs(database.org(crypto.randomUUID()), [{ id, subject }]);
  await db.admin`update analyzer.jobs set offered_at = now()`;

  await db.admin`revoke execute on function analyzer.queued_jobs from leeway_analyzer`;
  const analyzer = await start(database, bus);
  await Bun.sleep(AWAY_MS);
  await db.admin`grant execute on function analyzer.queued_jobs to leeway_analyzer`;

  const begun = async (): Promise<boolean> => {
    const [job] = await db.admin<{ attempts: number }[]>`select attempts from analyzer.jobs where id = ${id}`;
    return (job?.attempts ?? 0) > 0;
  };
  const end = performance.now() + BEGUN_LIMIT_MS;
  while (!(await begun()) && performance.now() < end) await Bun.sleep(50);
  expect(await begun()).toBe(true);
  await analyzer.drain();
  await bus.nats.close();
  await db.drop();
});
