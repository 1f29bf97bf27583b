import { afterAll, beforeAll, expect, test } from "bun:test";

import { answer, serve } from "@leeway/shared/bus/answer";
import type { BusConnection } from "@leeway/shared/bus/connection";
import { NoteNarrative } from "@leeway/shared/contracts/inventory/posture";
import { testBus, testDatabase, testLog, type TestDatabase } from "@leeway/shared/testing/testing";

import { createEndedJobs } from "../src/jobs/ended.ts";
import { storeJobs } from "../src/jobs/store/jobs.ts";
import { giveUpJob } from "../src/work-off-job.ts";
import { SCHEMA } from "../src/schema.ts";

const narratives = new Map<string, string>();
const log = testLog();

let db: TestDatabase;
let bus: BusConnection;
let inventory: BusConnection;

beforeAll(async () => {
  db = await testDatabase([SCHEMA]);
  bus = await testBus("analyzer");
  inventory = await testBus("inventory");
  const note = answer(NoteNarrative, ({ snapshot_id, narrative }) => {
    narratives.set(snapshot_id, narrative.status);
    return Promise.resolve({});
  });
  serve(inventory, { service: "inventory", endpoints: [note], log });
  await inventory.nats.flush(); // the server has the subscription
});
afterAll(async () => {
  await Promise.all([bus.nats.close(), inventory.nats.close()]);
  await db.drop();
});

test("a snapshot whose narrative fails has status error instead of staying queued", async () => {
  const database = db.open(SCHEMA.service);
  const job = { orgId: crypto.randomUUID(), id: Bun.randomUUIDv7() };
  const subject = { kind: "drift_narrative" as const, snapshot_id: crypto.randomUUID() };
  await storeJobs(database.org(job.orgId), [{ id: job.id, subject }]);
  const deps = { database, bus, log, ended: createEndedJobs(bus, log) };
  await giveUpJob(deps, job, {
    code: "internal",
    message: "internal error; the analyzer's log has the details",
  });
  expect(narratives.get(subject.snapshot_id)).toBe("error");
});
