import { afterAll, beforeAll, beforeEach, expect, jest, test } from "bun:test";

import type { BusConnection } from "@leeway/shared/bus/connection";
import { streamManager } from "@leeway/shared/bus/streams";
import { JobQueued } from "@leeway/shared/contracts/analyzer/jobs";
import type { Database } from "@leeway/shared/database/database";
import { unavailable } from "@leeway/shared/values/errors";
import {
  failureOf,
  testBus,
  testDatabase,
  testLog,
  testStreams,
  type TestDatabase,
} from "@leeway/shared/testing/testing";

import { BUS_PARTS } from "../src/bus-parts.ts";
import { createJobOutbox, type JobOutbox } from "../src/jobs/outbox.ts";
import { beginJob, storeJobs } from "../src/jobs/store/jobs.ts";
import { SCHEMA } from "../src/schema.ts";

let db: TestDatabase;
let database: Database;
let bus: BusConnection;
const orgId = crypto.randomUUID();

beforeAll(async () => {
  db = await testDatabase([SCHEMA]);
  database = db.open(SCHEMA.service);
  bus = await testBus("outbox");
  await testStreams(BUS_PARTS);
});
beforeEach(async () => {
  await (await streamManager(bus)).streams.purge(JobQueued.stream);
  await db.admin`delete from analyzer.jobs`;
});
afterAll(async () => {
  await bus.nats.close();
  await db.drop();
});

const outboxOn = (on: BusConnection): JobOutbox => createJobOutbox({ database, bus: on, log: testLog() });

/** Creates jobs that have been waiting for some seconds. */
async function waitingJobs(count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => Bun.randomUUIDv7());
  const subject = { kind: "drift_narrative" as const, snapshot_id: crypto.randomUUID() };
  await storeJobs(
    database.org(orgId),
    ids.map((id) => ({ id, subject })),
  );
  await db.admin`update analyzer.jobs set created_at = now() - interval '6 seconds'`;
  return ids;
}

async function onTheBus(): Promise<number> {
  return (await (await streamManager(bus)).streams.info(JobQueued.stream)).state.messages;
}

/** Reports whether the last offered job is marked as abandoned. */
async function isAbandoned(): Promise<boolean> {
  const { streams } = await streamManager(bus);
  const { last_seq: seq } = (await streams.info(JobQueued.stream)).state;
  return (
    (await streams.getMessage(JobQueued.stream, { seq })).json<{ abandoned?: true }>().abandoned ?? false
  );
}

test("a queued job is on the bus once, even after a sweep", async () => {
  const [offered = "", missed] = await waitingJobs(2);
  const outbox = outboxOn(bus);
  outbox.offer(orgId, [{ id: offered }]);
  while ((await onTheBus()) === 0) await Bun.sleep(5);
  await outbox.sweep();
  expect(missed).toBeDefined();
  expect(await onTheBus()).toBe(2);
  await outbox.offerAgain({ orgId, id: offered, abandoned: false });
  expect(await onTheBus()).toBe(3);
});

test("a postponed job is published as soon as its pause ends", async () => {
  const [id = "", prompt = ""] = await waitingJobs(2);
  const outbox = outboxOn(bus);
  jest.useFakeTimers();
  outbox.offerLater(orgId, prompt, 1);
  outbox.offerLater(orgId, id, 60);
  jest.advanceTimersByTime(59_000);
  const early = jest.getTimerCount();
  jest.advanceTimersByTime(1_000);
  jest.useRealTimers();
  expect(early).toBe(1);
  while ((await onTheBus()) === 0) await Bun.sleep(5);
  expect(await onTheBus()).toBe(1);
  expect(await isAbandoned()).toBe(true); // it had begun before it was postponed
});

test("jobs held by a killed process are published once by the next, except running ones", async () => {
  const [begun = "", ...others] = await waitingJobs(3);
  const outbox = outboxOn(bus);
  await outbox.sweep();
  await (await streamManager(bus)).streams.purge(JobQueued.stream);
  await beginJob(database.org(orgId), { id: begun, abandoned: false });
  await outbox.resume();
  expect(await onTheBus()).toBe(others.length);
});

test("a running job isn't started by another worker unless it is abandoned", async () => {
  const [id = ""] = await waitingJobs(1);
  const begin = (abandoned: boolean): Promise<unknown> => beginJob(database.org(orgId), { id, abandoned });
  expect(await begin(false)).toMatchObject({ attempts: 1 });
  expect(await begin(false)).toBeUndefined();
  expect(await begin(true)).toMatchObject({ attempts: 2 });
});

test("a queued job that is swept is started once, and a dead worker's again", async () => {
  const [waiting = "", left = ""] = await waitingJobs(2);
  const sql = database.org(orgId);
  const beginSwept = async (id: string): Promise<unknown> => {
    await db.admin`update analyzer.jobs set offered_at = now() - interval '181 seconds' where id = ${id}`;
    await outboxOn(bus).sweep();
    return beginJob(sql, { id, abandoned: await isAbandoned() });
  };
  await beginJob(sql, { id: left, abandoned: false });
  expect(await beginSwept(waiting)).toMatchObject({ attempts: 1 });
  expect(await beginJob(sql, { id: waiting, abandoned: await isAbandoned() })).toBeUndefined();
  expect(await beginSwept(left)).toMatchObject({ attempts: 2 });
});

test("jobs that the sweep couldn't publish are swept again", async () => {
  await waitingJobs(3);
  const gone = { ...bus, connected: true, whileConnected: () => Promise.reject(unavailable("no bus")) };
  expect(await failureOf(outboxOn(gone).sweep())).toMatchObject({ code: "unavailable" });
  await outboxOn(bus).sweep();
  expect(await onTheBus()).toBe(3);
});
