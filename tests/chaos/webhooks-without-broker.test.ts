import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { connectBus } from "@leeway/shared/bus/connection";
import { DeliveryAccepted } from "@leeway/shared/contracts/webhooks/deliveries";
import { testLog } from "@leeway/shared/testing/testing";

import { planEvent } from "../../services/webhooks/test/kit.ts";
import { figure } from "./figure.ts";
import { startFleet, type Fleet } from "./fleet.ts";
import { drained, ledgerOf, lostOf, waiting } from "./ledger.ts";
import { ANSWER_LIMIT_MS, BACK_LIMIT_MS } from "./promised.ts";
import { createSender, each, keepSending } from "./sender.ts";
import { until } from "./until.ts";

const AWAY_MS = process.env["LEEWAY_CHAOS_LONG"] ? [200, 5_000, 30_000] : [200, 5_000];
const AT_ONCE = 32;
const DRAIN_LIMIT_MS = 60_000;
const BACKLOG = 1_000;
const DURABLE = "analyzer-deliveries";
const TEST_MS = 120_000;

let fleet: Fleet;

beforeAll(async () => {
  fleet = await startFleet({ services: ["gateway", "webhooks", "analyzer"] });
}, TEST_MS);

afterAll(() => fleet.stop(), TEST_MS);

describe("a broker outage under load", () => {
  test.each(AWAY_MS)(
    "of %i ms loses and repeats nothing, and unserved callers get an error at once",
    async (awayMs) => {
      const receiver = await fleet.newReceiver();
      const sender = createSender(receiver);
      const stop = keepSending(sender, AT_ONCE);
      await until(() => sender.ids.size > 500, TEST_MS);
      fleet.nats.signal("SIGKILL");
      await Bun.sleep(awayMs);
      await fleet.nats.start();
      const back = performance.now();
      const left = await waiting(fleet);
      await until(() => sender.acceptedAt() > back, TEST_MS);
      const backMs = performance.now() - back;
      await until(async () => !(await waiting(fleet)).some((id) => left.includes(id)), TEST_MS);
      const drainedMs = performance.now() - back;
      await stop();
      await drained(fleet, TEST_MS);
      const lost = await lostOf(fleet, sender.ids);
      const ledger = await ledgerOf(fleet, receiver);
      figure(
        `broker away ${awayMs} ms: answers ${JSON.stringify(sender.statuses)}, slowest ` +
          `${Math.round(sender.slowestMs())} ms; serving ${Math.round(backMs)} ms after it was back, the ` +
          `${left.length} that waited worked off after ${Math.round(drainedMs)} ms; ${lost.length} lost, ` +
          `${ledger.twice} twice`,
      );
      const all = sender.ids.size;
      expect(Object.keys(sender.statuses)).toEqual(["202", "503"]);
      expect({ lost, wrong: sender.wrong }).toEqual({ lost: [], wrong: [] });
      expect(ledger).toMatchObject({ deliveries: all, bodies: all, processed: all, jobs: all, twice: 0 });
      expect(sender.slowestMs()).toBeLessThan(ANSWER_LIMIT_MS);
      expect(backMs).toBeLessThan(BACK_LIMIT_MS);
      expect(drainedMs).toBeLessThan(DRAIN_LIMIT_MS);
    },
    TEST_MS,
  );
});

/** Keeps deliveries waiting in the broker: it hands out one at a time, and this function takes it. */
async function holdUp({ nats }: Fleet): Promise<() => Promise<void>> {
  const bus = await connectBus({ url: nats.url, name: "chaos", log: testLog() });
  const { stream } = DeliveryAccepted;
  const manager = await bus.nats.jetstreamManager();
  await manager.consumers.update(stream, DURABLE, { max_ack_pending: 1 });
  const taken = bus.nats.jetstream().pull(stream, DURABLE, 60_000);
  taken.catch(() => undefined);
  return () => bus.nats.close();
}

test(
  "a broker that lost its data gets it again",
  async () => {
    const receiver = await fleet.newReceiver();
    const sender = createSender(receiver);
    const bodies = Array.from({ length: BACKLOG }, () => planEvent());
    const release = await holdUp(fleet);
    await each(bodies, AT_ONCE, sender.send);
    fleet.nats.signal("SIGKILL");
    await release();
    await fleet.nats.loseData();
    const left = await waiting(fleet);
    await fleet.nats.start();
    const drainedMs = await drained(fleet, TEST_MS);
    const lost = await lostOf(fleet, sender.ids);
    figure(
      `${left.length} of ${BACKLOG} events were in the lost store: ${lost.length} lost, worked off ` +
        `${Math.round(drainedMs)} ms after it was back`,
    );
    expect(left.length).toBeGreaterThan(BACKLOG / 2);
    expect(lost).toEqual([]);
    expect(await ledgerOf(fleet, receiver)).toMatchObject({ processed: BACKLOG, jobs: BACKLOG, twice: 0 });
  },
  TEST_MS,
);
