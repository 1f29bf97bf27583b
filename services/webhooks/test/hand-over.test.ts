import { afterAll, beforeAll, expect, test } from "bun:test";

import { answerBody, serve } from "@leeway/shared/bus/answer";
import type { BusConnection } from "@leeway/shared/bus/connection";
import { TakeEvents } from "@leeway/shared/contracts/analyzer/jobs";
import { unavailable } from "@leeway/shared/errors";
import { testBus, testDatabase, testLog, type TestDatabase } from "@leeway/shared/testing";

import { createHandOver } from "../src/deliveries/hand-over.ts";
import { SCHEMA } from "../src/schema.ts";

const log = testLog();
const MEGABYTE = 1 << 20;

let db: TestDatabase;
let bus: BusConnection;
beforeAll(async () => {
  db = await testDatabase([SCHEMA]);
  bus = await testBus("hand-over");
});
afterAll(async () => {
  await bus.nats.close();
  await db.drop();
});

/** An event of so many bytes that waits for longer than it should. */
async function overdue(orgId: string, bytes: number): Promise<string> {
  const id = Bun.randomUUIDv7();
  await db.admin`
    with delivery as (
      insert into webhooks.deliveries (org_id, id, config_id, source, body_sha256, size, outcome, processed_at)
      values (${orgId}, ${id}, gen_random_uuid(), 'planner', '', ${bytes}, 'processed', now())
    )
    insert into webhooks.events (org_id, id, event, offered_at)
    values (${orgId}, ${id}, to_json(repeat('x', ${bytes - 2}::integer))::text, now() - interval '1 hour')
  `;
  return id;
}

/** Gives what waits to an analyzer that does `take` with the deliveries of each call, and the bytes of their events. */
async function sweepTo(take: (orgId: string, ids: string[], bytes: number) => void): Promise<void> {
  const endpoint = answerBody(TakeEvents, async ({ org_id, events }, body) => {
    const ids = events.map(({ delivery_id }) => delivery_id);
    take(org_id, ids, body.length);
    return { job_ids: [] };
  });
  const stop = serve(bus, { service: "analyzer", endpoints: [endpoint], log });
  await bus.nats.flush(); // the server knows of it
  await createHandOver({ database: db.open(SCHEMA.service), bus, log }).sweep();
  await stop();
}

test("what waited for an analyzer that was away is given once, a few megabytes at a time", async () => {
  const orgId = crypto.randomUUID();
  const sizes = [3, 3, 1, 5, 0.1, 0.1].map((megabytes) => Math.trunc(megabytes * MEGABYTE));
  const ids = await Promise.all(sizes.map((size) => overdue(orgId, size)));
  const given: string[] = [];
  const calls: number[] = [];
  await sweepTo((_, some, bytes) => {
    given.push(...some);
    calls.push(bytes);
  });
  expect(given.toSorted()).toEqual(ids.toSorted());
  expect(Math.max(...calls)).toBeLessThanOrEqual(5 * MEGABYTE);
  expect(await db.admin`select from webhooks.events where org_id = ${orgId}`).toHaveLength(0);
});

test("an event that can't be taken doesn't hold up those of other organizations", async () => {
  const [poisoned, other] = [crypto.randomUUID(), crypto.randomUUID()];
  for (const orgId of [poisoned, other]) await overdue(orgId, 2);
  const taken: string[] = [];
  await sweepTo((orgId) => {
    if (orgId === poisoned) throw new Error("this event breaks the analyzer");
    taken.push(orgId);
  });
  expect(taken).toEqual([other]);
});

test("nor do those of an organization that the analyzer is too busy with", async () => {
  const [busy, other] = [crypto.randomUUID(), crypto.randomUUID()];
  await overdue(busy, 2);
  await overdue(other, 2);
  const taken: string[] = [];
  await sweepTo((orgId) => {
    if (orgId === busy) throw unavailable("the database took too long");
    taken.push(orgId);
  });
  expect(taken).toEqual([other]);
});
