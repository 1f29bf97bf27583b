import { afterAll, beforeAll, beforeEach, expect, jest, test } from "bun:test";

import type { BusConnection } from "@leeway/shared/bus/connection";
import { ensureStreams, streamManager } from "@leeway/shared/bus/streams";
import { JobQueued } from "@leeway/shared/contracts/analyzer/jobs";
import type { Database } from "@leeway/shared/database/database";
import { unavailable } from "@leeway/shared/errors";
import { failureOf, testBus, testDatabase, testLog, type TestDatabase } from "@leeway/shared/testing";

import { createOutbox, type Outbox } from "../src/jobs/outbox.ts";
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
  await ensureStreams(bus, [JobQueued], 1);
});
beforeEach(async () => {
  await (await streamManager(bus)).streams.purge(JobQueued.stream);
  await db.admin`delete from analyzer.jobs`;
});
afterAll(async () => {
  await bus.nats.close();
  await db.drop();
});

const outboxOn = (on: BusConnection): Outbox => createOutbox({ database, bus: on, log: testLog() });

/** Jobs that have waited for some seconds. */
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

/** Whether the job that was offered last is said to be abandoned. */
async function isAbandoned(): Promise<boolean> {
  const { streams } = await streamManager(bus);
  const { last_seq: seq } = (await streams.info(JobQueued.stream)).state;
  return (
    (await streams.getMessage(JobQueued.stream, { seq })).json<{ abandoned?: true }>().abandoned ?? false
  );
}

test("a job that waits behind others is on the bus once, though it is swept up meanwhile", async () => {
  const [offered = "", missed] = await waitingJobs(2);
  const outbox = outboxOn(bus);
  outbox.offer(orgId, offered);
  while ((await onTheBus()) === 0) await Bun.sleep(5);
  await outbox.sweep();
  expect(missed).toBeDefined();
  expect(await onTheBus()).toBe(2);
  await outbox.offerAgain({ orgId, id: offered, abandoned: false });
  expect(await onTheBus()).toBe(3);
});

test("a job that is left alone is offered as soon as that is over", async () => {
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
  expect(await isAbandoned()).toBe(true); // it was begun before it was left alone
});

test("what a process had put aside that was killed is offered once more by the next, but for what somebody works on", async () => {
  const [begun = "", ...aside] = await waitingJobs(3);
  const outbox = outboxOn(bus);
  await outbox.sweep();
  await (await streamManager(bus)).streams.purge(JobQueued.stream);
  await beginJob(database.org(orgId), { id: begun, abandoned: false });
  await outbox.resume();
  expect(await onTheBus()).toBe(aside.length);
});

test("a job that somebody works on isn't begun by another, unless it is abandoned", async () => {
  const [id = ""] = await waitingJobs(1);
  const begin = (abandoned: boolean): Promise<unknown> => beginJob(database.org(orgId), { id, abandoned });
  expect(await begin(false)).toMatchObject({ attempts: 1 });
  expect(await begin(false)).toBeUndefined();
  expect(await begin(true)).toMatchObject({ attempts: 2 });
});

test("a job that is swept up while it waits behind others is begun once, one whose worker died again", async () => {
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

test("what the sweep couldn't give to the bus is swept up the next time", async () => {
  await waitingJobs(3);
  const gone = { ...bus, connected: true, whileConnected: () => Promise.reject(unavailable("no bus")) };
  expect(await failureOf(outboxOn(gone).sweep())).toMatchObject({ code: "unavailable" });
  await outboxOn(bus).sweep();
  expect(await onTheBus()).toBe(3);
});
