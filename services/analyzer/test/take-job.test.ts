import { afterAll, beforeAll, expect, test } from "bun:test";

import { answer, serve } from "@leeway/shared/bus/answer";
import type { BusConnection } from "@leeway/shared/bus/connection";
import { ReleaseSlot, ReserveSlot } from "@leeway/shared/contracts/quota/slots";
import type { Database } from "@leeway/shared/database/database";
import { unavailable } from "@leeway/shared/values/errors";
import { parseKeyRing } from "@leeway/shared/security/encryption/keyring";
import { failureOf, testBus, testDatabase, testLog, type TestDatabase } from "@leeway/shared/testing/testing";

import { fixNoise } from "../src/fixes/fix-noise.ts";
import { createJobOutbox } from "../src/jobs/outbox.ts";
import { storeJobs, type NewJob, type StoredJobs } from "../src/jobs/store/jobs.ts";
import { takeJob, type TakeDependencies } from "../src/jobs/take-job.ts";
import { SCHEMA } from "../src/schema.ts";

const orgId = crypto.randomUUID();
const held = new Set<string>();

let db: TestDatabase;
let database: Database;
let bus: BusConnection;
let quota: BusConnection;

beforeAll(async () => {
  db = await testDatabase([SCHEMA]);
  database = db.open(SCHEMA.service);
  bus = await testBus("analyzer");
  quota = await testBus("quota");
  serveSlots();
  await quota.nats.flush(); // the server has the subscription
});
afterAll(async () => {
  await Promise.all([bus.nats.close(), quota.nats.close()]);
  await db.drop();
});

/** Starts a fake quota service that grants slots and records those that are held. */
function serveSlots(): void {
  const reserve = answer(ReserveSlot, ({ job_id }) => {
    held.add(job_id);
    return Promise.resolve({ granted: true as const, source: "platform" as const, limits: [] });
  });
  const release = answer(ReleaseSlot, ({ job_id }) => {
    held.delete(job_id);
    return Promise.resolve({ state: "released" as const });
  });
  serve(quota, { service: "quota", endpoints: [reserve, release], log: testLog() });
}

const dependencies = (): TakeDependencies => ({
  bus,
  log: testLog(),
  database,
  ring: parseKeyRing(`test:${Buffer.alloc(32, 7).toString("base64")}`),
  outbox: createJobOutbox({ database, bus, log: testLog() }),
});

/** Takes a job with a slot and fails its statement. @param work runs before the failure */
async function failToTake(id: string, work: (job: NewJob) => Promise<StoredJobs | void>): Promise<void> {
  const subject = { kind: "drift_narrative" as const, snapshot_id: crypto.randomUUID() };
  const failing = takeJob(dependencies(), { orgId, id, subject, slot: true }, async (job) => {
    expect(held).toContain(id);
    await work(job);
    throw unavailable("the answer got lost");
  });
  expect(await failureOf(failing)).toMatchObject({ code: "unavailable" });
}

test("a job that couldn't be stored holds no slot", async () => {
  const id = Bun.randomUUIDv7();
  await failToTake(id, () => Promise.resolve());
  expect(held).not.toContain(id);
});

test("a job stored without a response or by a repeat keeps its slot", async () => {
  const id = Bun.randomUUIDv7();
  await failToTake(id, (job) => storeJobs(database.org(orgId), [job]));
  expect(held).toContain(id);
});

test("of concurrent requests to fix the same noise one succeeds and takes one slot", async () => {
  const fingerprint = `pn1_${"a".repeat(26)}`;
  await db.admin`
    insert into analyzer.noise (
      org_id, fingerprint, class, title, resource_type, provider_name, path_pattern, confidence, sample
    )
    values (${orgId}, ${fingerprint}, 'ordering', '', '', '', '', 1, '{}')
  `;
  const before = held.size;
  const asking = await db.admin.begin(async (earlier) => {
    await earlier`select from analyzer.noise where org_id = ${orgId} for update`;
    const request = { org_id: orgId, fingerprint, requested_by: { type: "system" as const, id: "test" } };
    const work = Promise.allSettled([fixNoise(dependencies(), request), fixNoise(dependencies(), request)]);
    await untilWaiting(2);
    return { work };
  });
  const outcomes = await asking.work;
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  expect(held.size).toBe(before + 1);
});

/** Waits until `count` statements wait for a lock. */
async function untilWaiting(count: number): Promise<void> {
  for (;;) {
    const waiting = await db.admin`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
    `;
    if (waiting.length >= count) return;
    await Bun.sleep(5);
  }
}
