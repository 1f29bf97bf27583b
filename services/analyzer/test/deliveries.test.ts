import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";

import { answer, serve } from "@leeway/shared/bus/answer";
import type { BusConnection } from "@leeway/shared/bus/connection";
import { listDeadLetters, newestDeadLetter } from "@leeway/shared/bus/dead-letters";
import { publish } from "@leeway/shared/bus/publish";
import type { Input } from "@leeway/shared/contracts/contract";
import { ExpectPlan } from "@leeway/shared/contracts/inventory/plans";
import {
  DeliveryAccepted,
  EndDeliveries,
  ReadDeliveries,
} from "@leeway/shared/contracts/webhooks/deliveries";
import { parseKeyRing } from "@leeway/shared/security/encryption/keyring";
import type { Running } from "@leeway/shared/service/service";
import { unavailable } from "@leeway/shared/values/errors";
import {
  testBus,
  testDatabase,
  testLog,
  testStreams,
  type TestDatabase,
} from "@leeway/shared/testing/testing";

import { BUS_PARTS } from "../src/bus-parts.ts";
import { SCHEMA } from "../src/schema.ts";
import { startAnalyzer } from "../src/start.ts";

type Ended = Input<typeof EndDeliveries>["deliveries"][number];

const log = testLog();
log.level = "silent"; // these tests cause failures

let db: TestDatabase;
let bus: BusConnection;
let analyzer: Running;
let orgId: string;
/** A stand-in for webhooks: its pending deliveries with their events, and the calls that ended deliveries. */
const pending = new Map<string, string>();
let ended: Ended[];
/** Number of calls to it that fail from now on. */
let failing = { read: 0, end: 0 };

beforeAll(async () => {
  db = await testDatabase([SCHEMA]);
  await testStreams(BUS_PARTS);
  bus = await testBus("analyzer");
  serve(bus, { service: "others", endpoints: endpoints(), log });
  const settings = {
    ring: parseKeyRing(`k1:${Buffer.alloc(32, 1).toString("base64")}`),
    publicBaseUrl: "http://127.0.0.1",
    retryMs: [10, 10, 10, 10],
  };
  analyzer = await startAnalyzer({ database: db.open(SCHEMA.service), bus, log }, settings);
});
beforeEach(() => {
  orgId = crypto.randomUUID();
  ended = [];
});
afterEach(() => pending.clear());
afterAll(async () => {
  await analyzer.drain();
  await bus.nats.close();
  await db.drop();
});

function failIfAsked(call: keyof typeof failing): void {
  if (failing[call] === 0) return;
  failing[call] -= 1;
  throw unavailable("the database can't be reached");
}

function endpoints() {
  return [
    answer(ExpectPlan, async () => ({ expected: false })),
    answer(ReadDeliveries, async ({ delivery_ids }) => {
      failIfAsked("read");
      const config_id = crypto.randomUUID();
      const deliveries = delivery_ids.flatMap((delivery_id) => {
        const event = pending.get(delivery_id);
        return event === undefined ? [] : [{ delivery_id, config_id, replays: 0, event }];
      });
      return { deliveries };
    }),
    answer(EndDeliveries, async ({ deliveries }) => {
      failIfAsked("end");
      for (const one of deliveries) if (pending.delete(one.delivery_id)) ended.push(one);
      return {};
    }),
  ];
}

const plan = (repository = "platform/network"): object => ({
  kind: "plan",
  event_id: crypto.randomUUID(),
  repository,
  project: { name: "prod" },
  status: "success",
  plan: { format_version: "1.2", terraform_version: "1.9.0", resource_changes: [] },
});

/** Adds pending deliveries with these events. @returns their ids */
function received(...events: object[]): string[] {
  return events.map((event) => {
    const id = Bun.randomUUIDv7();
    pending.set(id, JSON.stringify(event));
    return id;
  });
}

/** Announces deliveries, as webhooks does. */
function accept(delivery_ids: string[]): Promise<void> {
  return publish(bus, DeliveryAccepted, { org_id: orgId, delivery_ids }, crypto.randomUUID());
}

async function settled(): Promise<void> {
  while (pending.size > 0) await Bun.sleep(5);
}

async function jobs(): Promise<string[]> {
  const rows = await db.admin<
    { id: string }[]
  >`select id from analyzer.jobs where org_id = ${orgId} order by id`;
  return rows.map(({ id }) => id);
}

const byId = (a: Ended, b: Ended): number => a.delivery_id.localeCompare(b.delivery_id);

test("each delivery becomes one job with its id, even if its end fails at first", async () => {
  const ids = received(plan(), plan());
  failing = { read: 0, end: 2 };
  await accept(ids);
  await settled();
  expect(ended.toSorted(byId)).toEqual(ids.map((id) => ({ delivery_id: id, replays: 0, job_id: id })));
  expect(await jobs()).toEqual(ids);
});

test("an event without a task ends its delivery without a job", async () => {
  const { plan: _plan, event_id: _id, ...planned } = { ...plan(), plan: 0, event_id: 0 };
  const [id = ""] = received({ ...planned, kind: "apply" });
  await accept([id]);
  await settled();
  expect(ended).toEqual([{ delivery_id: id, replays: 0 }]);
  expect(await jobs()).toEqual([]);
});

test("an event that can't be stored fails after five attempts of its own without affecting others", async () => {
  const unlucky = "platform/unlucky";
  await db.admin.unsafe(
    `alter table analyzer.jobs add constraint no_luck check (subject->>'repository' <> '${unlucky}') not valid`,
  );
  const before = await newestDeadLetter(bus);
  const ids = received(plan(), plan(unlucky), plan());
  await accept(ids);
  await settled();
  await db.admin.unsafe("alter table analyzer.jobs drop constraint no_luck");
  const [first = "", bad = "", last = ""] = ids;
  expect(ended.toSorted(byId)).toEqual([
    { delivery_id: first, replays: 0, job_id: first },
    { delivery_id: bad, failure: "internal" },
    { delivery_id: last, replays: 0, job_id: last },
  ]);
  expect(await jobs()).toEqual([first, last]);
  const letters = await listDeadLetters(bus, { afterSequence: before });
  expect(letters).toMatchObject([{ durable: "analyzer-deliveries", reason: "internal", attempts: 5 }]);
  expect(JSON.parse(letters[0]?.payload ?? "")).toEqual({ org_id: orgId, delivery_ids: [bad] });
});

test("an invalid event fails at once without affecting others", async () => {
  const ids = received(plan(), { kind: "unknown" });
  await accept(ids);
  await settled();
  const [good = "", bad = ""] = ids;
  expect(ended.toSorted(byId)).toMatchObject([
    { delivery_id: good, job_id: good },
    { delivery_id: bad, failure: expect.any(String) },
  ]);
});

test("an outage of webhooks during every attempt fails no delivery", async () => {
  const ids = received(plan());
  failing = { read: 3, end: 2 };
  await accept(ids);
  while (failing.read + failing.end > 0) await Bun.sleep(5);
  expect(ended).toEqual([]);
  await accept(ids); // by the sweep of webhooks
  await settled();
  expect(ended).toMatchObject([{ job_id: ids[0] }]);
  expect(await jobs()).toEqual(ids);
});
