import { afterAll, beforeAll, expect, test } from "bun:test";

import { answer, serve } from "@leeway/shared/bus/answer";
import type { BusConnection } from "@leeway/shared/bus/connection";
import { ReleaseSlot, ReserveSlot } from "@leeway/shared/contracts/quota/slots";
import type { Database } from "@leeway/shared/database/database";
import { unavailable } from "@leeway/shared/errors";
import { parseKeyRing } from "@leeway/shared/keyring";
import { failureOf, testBus, testDatabase, testLog, type TestDatabase } from "@leeway/shared/testing";

import { createOutbox } from "../src/jobs/outbox.ts";
import { storeJobs, type NewJob, type StoredJobs } from "../src/jobs/store/jobs.ts";
import { takeJob } from "../src/jobs/take-job.ts";
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
  await quota.nats.flush(); // the server knows of it
});
afterAll(async () => {
  await Promise.all([bus.nats.close(), quota.nats.close()]);
  await db.drop();
});

/** Gives out slots, as the quota service does, and knows which are held. */
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

/** Takes a job that wants a slot, whose statement fails. @param work what it does all the same */
async function failToTake(id: string, work: (job: NewJob) => Promise<StoredJobs | void>): Promise<void> {
  const deps = {
    bus,
    log: testLog(),
    database,
    ring: parseKeyRing(`test:${Buffer.alloc(32, 7).toString("base64")}`),
    outbox: createOutbox({ database, bus, log: testLog() }),
  };
  const subject = { kind: "drift_narrative" as const, snapshot_id: crypto.randomUUID() };
  const failing = takeJob(deps, { orgId, id, subject, slot: true }, async (job) => {
    expect(held).toContain(id);
    await work(job);
    throw unavailable("the answer got lost");
  });
  expect(await failureOf(failing)).toMatchObject({ code: "unavailable" });
}

test("a job that couldn't be stored leaves no slot held", async () => {
  const id = Bun.randomUUIDv7();
  await failToTake(id, () => Promise.resolve());
  expect(held).not.toContain(id);
});

test("a job that is stored though no answer came, or by a repeat, keeps its slot", async () => {
  const id = Bun.randomUUIDv7();
  await failToTake(id, (job) => storeJobs(database.org(orgId), [job]));
  expect(held).toContain(id);
});
