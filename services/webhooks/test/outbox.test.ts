import { afterAll, beforeAll, expect, test } from "bun:test";

import type { BusConnection } from "@leeway/shared/bus/connection";
import { unavailable } from "@leeway/shared/values/errors";
import { failureOf, testBus, testDatabase, testLog, type TestDatabase } from "@leeway/shared/testing/testing";

import { createDeliveryOutbox } from "../src/deliveries/outbox.ts";
import { overdueDeliveries } from "../src/deliveries/store/work.ts";
import { SCHEMA } from "../src/schema.ts";

let db: TestDatabase;
let bus: BusConnection;
beforeAll(async () => {
  db = await testDatabase([SCHEMA]);
  bus = await testBus("outbox");
});
afterAll(async () => {
  await bus.nats.close();
  await db.drop();
});

const gone = () => Promise.reject(unavailable("can't reach the message bus"));

test("deliveries that the sweep couldn't publish are due again", async () => {
  const ids = Array.from({ length: 100 }, () => Bun.randomUUIDv7());
  for (const id of ids) {
    await db.admin`
      insert into webhooks.deliveries (org_id, id, config_id, source, body_sha256, size, outcome, received_at)
      values (gen_random_uuid(), ${id}, gen_random_uuid(), 'planner', '', 0, 'pending', now() - interval '6 seconds')
    `;
  }
  const database = db.open(SCHEMA.service);
  const outbox = createDeliveryOutbox({
    database,
    bus: { ...bus, connected: true, whileConnected: gone },
    log: testLog(),
  });
  expect(await failureOf(outbox.sweep())).toMatchObject({ code: "unavailable" });
  const overdue = await overdueDeliveries(database.system, {
    newSeconds: 5,
    offeredSeconds: 60,
    limit: 1_000,
  });
  expect(overdue.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
});
