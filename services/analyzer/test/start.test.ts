import { expect, test } from "bun:test";

import { parseKeyRing } from "@leeway/shared/security/encryption/keyring";
import { testBus, testDatabase, testLog, testStreams } from "@leeway/shared/testing/testing";

import { BUS_PARTS } from "../src/bus-parts.ts";
import { storeJobs } from "../src/jobs/store/jobs.ts";
import { SCHEMA } from "../src/schema.ts";
import { startAnalyzer } from "../src/start.ts";

const AWAY_MS = 1_500;
/** Shorter than three minutes, after which the sweep would start it. */
const BEGUN_LIMIT_MS = 60_000;

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
  const analyzer = await startAnalyzer(
    { database, bus, log: testLog() },
    {
      ring: parseKeyRing(`k1:${Buffer.alloc(32, 1).toString("base64")}`),
      publicBaseUrl: "http://127.0.0.1",
    },
  );
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
