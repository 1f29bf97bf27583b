import { afterAll, beforeAll, expect, test } from "bun:test";

import { connectBus, type BusConnection } from "@leeway/shared/bus/connection";
import { listDeadLetters } from "@leeway/shared/bus/dead-letters";
import { DeliveryAccepted } from "@leeway/shared/contracts/webhooks/deliveries";
import { allTestBusKeys, testLog } from "@leeway/shared/testing/testing";

import { planEvent } from "../../services/webhooks/test/kit.ts";
import { figure } from "./figure.ts";
import { startFleet, type Fleet } from "./fleet.ts";
import { drained } from "./ledger.ts";
import { TEST_MS, WAIT_MS } from "./promised.ts";
import { createSender } from "./sender.ts";
import { maxOf, steady } from "./steady.ts";
import { until } from "./until.ts";

const MAX_BYTES = 5 * 1024 * 1024;
const CONNECTIONS = 8;
const ROUND_MS = 2_000;
/** Repository whose jobs the database refuses to store. */
const UNLUCKY = "platform/unlucky";

let fleet: Fleet;
let bus: BusConnection;

beforeAll(async () => {
  fleet = await startFleet({ services: ["gateway", "webhooks", "analyzer"] });
  bus = await connectBus({ url: fleet.nats.url, name: "chaos", keys: allTestBusKeys(), log: testLog() });
  await fleet.admin.unsafe(
    `alter table analyzer.jobs add constraint no_luck check (subject->>'repository' <> '${UNLUCKY}') not valid`,
  );
}, TEST_MS);

afterAll(async () => {
  await bus.nats.close();
  await fleet.stop();
}, TEST_MS);

const deepest = (event: string): string => {
  const depth = (MAX_BYTES - event.length) / 2;
  const nested = "[".repeat(depth) + "]".repeat(depth);
  return event.replace('"resource_changes":[]', `"resource_changes":${nested}`);
};

/** Broken bodies, with their outcomes. */
const POISON: readonly { body: string; outcome: object }[] = [
  { body: '{"event":"plan",', outcome: { outcome: "ignored", reason: "not_json", attempts: 0 } },
  { body: "[".repeat(MAX_BYTES), outcome: { outcome: "ignored", reason: "not_json", attempts: 0 } },
  { body: deepest(planEvent()), outcome: { outcome: "ignored", reason: "not_json", attempts: 0 } },
  {
    body: planEvent({ repository: UNLUCKY }),
    outcome: { outcome: "failed", reason: "internal", attempts: 5 },
  },
];
const UNREADABLE = { outcome: "failed", reason: "the body can't be decrypted", attempts: 1 };

/** Makes a delivery pending again, with a body that can't be decrypted. */
async function spoil(id: string): Promise<void> {
  await fleet.admin`
    update webhooks.bodies set sealed = set_byte(sealed, length(sealed) - 1, 255 - get_byte(sealed, length(sealed) - 1))
     where id = ${id}
  `;
  await fleet.admin`
    update webhooks.deliveries
       set outcome = 'pending', attempts = 0, offered_at = null, received_at = now() - interval '6 seconds'
     where id = ${id}
  `;
}

async function outcomeOf(id: string): Promise<unknown> {
  const [row] = await fleet.admin`select outcome, reason, attempts from webhooks.deliveries where id = ${id}`;
  return { ...row };
}

async function messagesLeft(): Promise<number> {
  const { streams } = await bus.nats.jetstreamManager();
  const { state } = await streams.info(DeliveryAccepted.stream);
  return state.messages;
}

test(
  "an event that can't be processed fails after five attempts with the reason, delaying no other",
  async () => {
    const [good, poisoner] = [await fleet.newReceiver(), await fleet.newReceiver()];
    const sender = createSender(poisoner);
    const spoilt = await sender.send(planEvent());
    await steady(good, CONNECTIONS, ROUND_MS);
    const alone = await steady(good, CONNECTIONS, ROUND_MS);
    await spoil(spoilt);
    const beside = steady(good, CONNECTIONS, ROUND_MS);
    for (const { body } of POISON) await sender.send(body);
    const { p50, p99 } = await beside;
    const after = await steady(good, CONNECTIONS, ROUND_MS);
    const settledMs = await drained(fleet, WAIT_MS);
    // Redelivered messages are taken and found done.
    await until(async () => (await messagesLeft()) === 0, WAIT_MS, "nothing is left in the stream");
    const letters = await listDeadLetters(bus);
    figure(
      `p99 ${p99.toFixed(1)} ms beside poison, ${alone.p99.toFixed(1)} ms before, ` +
        `${after.p99.toFixed(1)} ms after; given up ` +
        `${Math.round(settledMs)} ms later`,
    );
    for (const { body, outcome } of POISON) {
      expect(await outcomeOf(sender.ids.get(body) ?? "")).toEqual(outcome);
    }
    expect(await outcomeOf(spoilt)).toEqual(UNREADABLE);
    expect(letters).toMatchObject([{ reason: "internal", attempts: 5 }]);
    expect(p50).toBeLessThan(maxOf(alone, after));
  },
  TEST_MS,
);
