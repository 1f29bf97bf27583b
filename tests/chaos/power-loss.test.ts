import { afterAll, beforeAll, expect, test } from "bun:test";

import { figure } from "./figure.ts";
import { startFleet, type Fleet } from "./fleet.ts";
import { ledgerOf, lostOf, settled, waiting } from "./ledger.ts";
import { TEST_MS, WAIT_MS } from "./promised.ts";
import { createSender, keepSending } from "./sender.ts";
import { until } from "./until.ts";

const AT_ONCE = 16;
const ENOUGH = 150;

let fleet: Fleet;

beforeAll(async () => {
  fleet = await startFleet({ services: ["gateway", "webhooks", "analyzer", "quota"] });
}, TEST_MS);

afterAll(() => fleet.stop(), TEST_MS);

test(
  "copies of the database's and broker's disks under load are enough to lose nothing",
  async () => {
    const receiver = await fleet.newReceiver();
    const sender = createSender(receiver);
    const stop = keepSending(sender, AT_ONCE);
    await until(() => sender.ids.size > ENOUGH, WAIT_MS);
    const servers = [fleet.postgres, fleet.nats];
    for (const server of servers) server.signal("SIGSTOP", "all");
    const putBack = await Promise.all(servers.map((server) => server.copyData()));
    const before = sender.ids.size;
    for (const server of servers) server.signal("SIGKILL", "all");
    for (const put of putBack) await put();
    await Promise.all(servers.map((server) => server.start()));
    const back = performance.now();
    const left = (await waiting(fleet)).length;
    await until(() => sender.acceptedAt() > back, WAIT_MS, "events are taken");
    const backMs = performance.now() - back;
    await stop();
    await settled(fleet, WAIT_MS);
    const lost = await lostOf(fleet, sender.ids);
    figure(
      `${before} events were accepted before, of which ${left} were still to be worked off; taken again after ` +
        `${Math.round(backMs)} ms, ${sender.ids.size} in all; ${lost.length} lost`,
    );
    const all = sender.ids.size;
    expect({ lost, wrong: sender.wrong }).toEqual({ lost: [], wrong: [] });
    expect(await ledgerOf(fleet, receiver)).toMatchObject({ processed: all, jobs: all, undone: 0, twice: 0 });
  },
  TEST_MS,
);
