import { afterEach, describe, expect, test } from "bun:test";

import { figure } from "./figure.ts";
import { canMount, canTrace, createDisk, failSyncs } from "./disk.ts";
import { startFleet, type Fleet } from "./fleet.ts";
import { drained, ledgerOf, lostOf } from "./ledger.ts";
import { TEST_MS, WAIT_MS } from "./promised.ts";
import { createSender, keepSending } from "./sender.ts";
import { until } from "./until.ts";

const SERVICES = ["gateway", "webhooks", "analyzer"];
const DISK_MB = 256;
const ENOUGH = 200;
const AT_ONCE = 32;

const [mounts, traces] = [await canMount(), await canTrace()];

let fleet: Fleet;
afterEach(() => fleet.stop(), TEST_MS);

/** Sends events before, during and after a disk failure with a crash, and checks that none is lost or doubled. */
async function expectBooksRight(fail: () => Promise<() => Promise<unknown>>): Promise<void> {
  const receiver = await fleet.newReceiver();
  const sender = createSender(receiver);
  const stop = keepSending(sender, AT_ONCE);
  await until(() => sender.ids.size > ENOUGH, WAIT_MS);
  const mend = await fail();
  await until(() => (sender.statuses[503] ?? 0) > ENOUGH, WAIT_MS);
  await mend();
  fleet.postgres.signal("SIGKILL", "all");
  await fleet.postgres.start();
  const before = sender.ids.size;
  await until(() => sender.ids.size > before + ENOUGH, WAIT_MS);
  await stop();
  await drained(fleet, WAIT_MS);
  const lost = await lostOf(fleet, sender.ids);
  const ledger = await ledgerOf(fleet, receiver);
  const all = sender.ids.size;
  figure(
    `${all} events answered 202, ${lost.length} of them not there; answers ` +
      `${JSON.stringify(sender.statuses)}, slowest ${Math.round(sender.slowestMs())} ms`,
  );
  expect({ lost, wrong: sender.wrong }).toEqual({ lost: [], wrong: [] });
  expect(Object.keys(sender.statuses)).toEqual(["202", "503"]);
  expect(ledger).toMatchObject({ deliveries: all, bodies: all, processed: all, jobs: all, twice: 0 });
}

describe("an event gets 202 only when it is on disk:", () => {
  test.skipIf(!mounts)(
    "not while the disk is full (needs to mount one)",
    async () => {
      const disk = createDisk(DISK_MB);
      fleet = await startFleet({ services: SERVICES, settings: {}, prepare: disk.prepare });
      await expectBooksRight(async () => {
        await disk.fill();
        return disk.free;
      });
    },
    TEST_MS,
  );

  test.skipIf(!traces)(
    "not while the disk returns errors (needs strace)",
    async () => {
      fleet = await startFleet({ services: SERVICES, settings: {} });
      await expectBooksRight(async () => failSyncs(fleet.postgres.pids()));
    },
    TEST_MS,
  );
});
