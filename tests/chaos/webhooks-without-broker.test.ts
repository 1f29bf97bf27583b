import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { planEvent } from "../../services/webhooks/test/kit.ts";
import { figure } from "./figure.ts";
import { startFleet, type Fleet } from "./fleet.ts";
import { drained, ledgerOf, lostOf, waiting } from "./ledger.ts";
import { ANSWER_LIMIT_MS, BACK_LIMIT_MS, TEST_MS, WAIT_MS } from "./promised.ts";
import { createSender, each, keepSending } from "./sender.ts";
import { until } from "./until.ts";

const AWAY_MS = process.env["LEEWAY_CHAOS_LONG"] ? [200, 5_000, 30_000] : [200, 5_000];
const AT_ONCE = 32;
const BACKLOG = 1_000;

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
      await until(() => sender.ids.size > 500, WAIT_MS);
      fleet.nats.signal("SIGKILL");
      await Bun.sleep(awayMs);
      await fleet.nats.start();
      const back = performance.now();
      const left = await waiting(fleet);
      await until(() => sender.acceptedAt() > back, WAIT_MS);
      const backMs = performance.now() - back;
      // A busy machine accepts events faster than it processes them.
      await stop();
      const drainedMs = await drained(fleet, WAIT_MS);
      const lost = await lostOf(fleet, sender.ids);
      const ledger = await ledgerOf(fleet, receiver);
      figure(
        `broker away ${awayMs} ms: answers ${JSON.stringify(sender.statuses)}, slowest ` +
          `${Math.round(sender.slowestMs())} ms; serving ${Math.round(backMs)} ms after it was back, ` +
          `${left.length} waited, all worked off ${Math.round(drainedMs)} ms later; ${lost.length} lost, ` +
          `${ledger.twice} twice`,
      );
      const all = sender.ids.size;
      expect(Object.keys(sender.statuses)).toEqual(["202", "503"]);
      expect({ lost, wrong: sender.wrong }).toEqual({ lost: [], wrong: [] });
      expect(ledger).toMatchObject({ deliveries: all, bodies: all, processed: all, jobs: all, twice: 0 });
      expect(sender.slowestMs()).toBeLessThan(ANSWER_LIMIT_MS);
      expect(backMs).toBeLessThan(BACK_LIMIT_MS);
    },
    TEST_MS,
  );
});

test(
  "a broker that lost its data gets it again",
  async () => {
    const receiver = await fleet.newReceiver();
    const sender = createSender(receiver);
    const bodies = Array.from({ length: BACKLOG }, () => planEvent());
    process.kill(fleet.pidOf("analyzer"), "SIGSTOP");
    await each(bodies, AT_ONCE, sender.send);
    fleet.nats.signal("SIGKILL");
    await fleet.nats.loseData();
    const left = await waiting(fleet);
    process.kill(fleet.pidOf("analyzer"), "SIGCONT");
    await fleet.nats.start();
    const drainedMs = await drained(fleet, WAIT_MS);
    const lost = await lostOf(fleet, sender.ids);
    figure(
      `${left.length} of ${BACKLOG} events were in the lost store: ${lost.length} lost, worked off ` +
        `${Math.round(drainedMs)} ms after it was back`,
    );
    expect(left.length).toBe(BACKLOG);
    expect(lost).toEqual([]);
    expect(await ledgerOf(fleet, receiver)).toMatchObject({ processed: BACKLOG, jobs: BACKLOG, twice: 0 });
  },
  TEST_MS,
);
