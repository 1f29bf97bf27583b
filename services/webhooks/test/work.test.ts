import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";

import type { OrgStatements } from "@leeway/shared/database/database";
import { testDatabase, type TestDatabase } from "@leeway/shared/testing";

import { reopenDelivery } from "../src/deliveries/store/deliveries.ts";
import { storeIncoming } from "../src/deliveries/store/incoming.ts";
import {
  endDeliveries,
  forgetRecentBodies,
  forgetTaken,
  untakenEvents,
  type UntakenEvent,
} from "../src/deliveries/store/work.ts";
import { SCHEMA } from "../src/schema.ts";

const configId = crypto.randomUUID();

let db: TestDatabase;
let sql: OrgStatements;
beforeAll(async () => {
  db = await testDatabase([SCHEMA]);
});
beforeEach(() => {
  sql = db.open(SCHEMA.service).org(crypto.randomUUID());
});
afterAll(() => db.drop());

/** A delivery that waits. */
async function accepted(): Promise<string> {
  const id = Bun.randomUUIDv7();
  const incoming = { configId, source: "planner", kind: "plan", size: 1, ignored: undefined } as const;
  const sha256 = Buffer.from(id.replaceAll("-", ""), "hex");
  await storeIncoming(sql, [{ ...incoming, id, sha256, sealed: Buffer.from("x") }], 72);
  return id;
}

function end(ids: readonly string[], event = "{}", replays = 0): Promise<UntakenEvent[]> {
  return endDeliveries(
    sql,
    ids.map((id) => ({ id, outcome: "processed", event, jobId: undefined, replays })),
  );
}

const untaken = async (...ids: string[]) =>
  (await untakenEvents(sql, ids, MOST_BYTES)).map(({ id, event }) => [id, event]);
const MOST_BYTES = 100;

test("what is taken is forgotten, and nothing beside it", async () => {
  const [one, other] = [await accepted(), await accepted()];
  const [taken] = await end([one]);
  await end([other]);
  await forgetTaken(sql, taken ? [taken] : []);
  expect(await untaken(one, other)).toEqual([[other, "{}"]]);
});

test("an event that a replay has made anew outlives what was taken before", async () => {
  const id = await accepted();
  const taken = await end([id], '"first"');
  await reopenDelivery(sql, { configId, deliveryId: id });
  const again = await end([id], '"again"', 1);
  await forgetTaken(sql, taken);
  expect(await untaken(id)).toEqual([[id, '"again"']]);
  await forgetTaken(sql, again);
  expect(await untaken(id)).toEqual([]);
});

test("of many large events only the first are read at once", async () => {
  const ids = [await accepted(), await accepted(), await accepted(), await accepted()].toSorted();
  const large = `"${"x".repeat(58)}"`;
  await end(ids, large);
  expect(await untaken(...ids)).toEqual(ids.slice(0, 2).map((id) => [id, large]));
  expect(await untaken(...ids.slice(2))).toEqual(ids.slice(2).map((id) => [id, large]));
});

test("whoever ends a delivery second changes nothing, and is given no event", async () => {
  const id = await accepted();
  await end([id], '"first"');
  expect(await end([id], '"second"')).toEqual([]);
  expect(await untaken(id)).toEqual([[id, '"first"']]);
});

test("however many bodies are known for too long, they are forgotten a part at a time, and no other", async () => {
  const old = [await accepted(), await accepted(), await accepted()];
  const late = await accepted();
  await db.admin`
    update webhooks.recent_bodies set received_at = now() - interval '73 hours' where delivery_id = any (${old})
  `;
  const { system } = db.open(SCHEMA.service);
  const part = { dedupeHours: 72, atMost: 2 };
  const forgotten = [await forgetRecentBodies(system, part), await forgetRecentBodies(system, part)];
  expect(forgotten).toEqual([2, 1]);
  const left = await db.admin`select delivery_id from webhooks.recent_bodies where org_id = ${sql.orgId}`;
  expect(left.map(({ delivery_id }) => delivery_id)).toEqual([late]);
});
