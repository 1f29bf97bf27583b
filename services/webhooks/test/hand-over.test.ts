import { afterAll, beforeAll, expect, test } from "bun:test";

import { answerBody, serve } from "@leeway/shared/bus/answer";
import type { BusConnection } from "@leeway/shared/bus/connection";
import { TakeEvents } from "@leeway/shared/contracts/analyzer/jobs";
import { testBus, testDatabase, testLog, type TestDatabase } from "@leeway/shared/testing";

import { createHandOver } from "../src/deliveries/hand-over.ts";
import { SCHEMA } from "../src/schema.ts";

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

const MEGABYTE = 1 << 20;

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

test("what waited for an analyzer that was away is given once, a few megabytes at a time", async () => {
  const orgId = crypto.randomUUID();
  const sizes = [3, 3, 1, 5, 0.1, 0.1].map((megabytes) => megabytes * MEGABYTE).map(Math.trunc);
  const ids = await Promise.all(sizes.map((size) => overdue(orgId, size)));
  const calls: { ids: string[]; bytes: number }[] = [];
  const stop = serve(bus, {
    service: "analyzer",
    endpoints: [
      answerBody(TakeEvents, async ({ events }, body) => {
        calls.push({ ids: events.map((event) => event.delivery_id), bytes: body.length });
        return { job_ids: [] };
      }),
    ],
    log: testLog(),
  });
  await bus.nats.flush();
  const database = db.open(SCHEMA.service);
  await createHandOver({ database, bus, log: testLog() }).sweep();
  await stop();
  expect(calls.flatMap((call) => call.ids).toSorted()).toEqual(ids.toSorted());
  expect(calls.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(sizes.reduce((sum, size) => sum + size, 0));
  expect(Math.max(...calls.map(({ bytes }) => bytes))).toBeLessThanOrEqual(5 * MEGABYTE);
  const left = await db.admin`select id from webhooks.events where org_id = ${orgId}`;
  expect(left).toHaveLength(0);
});
