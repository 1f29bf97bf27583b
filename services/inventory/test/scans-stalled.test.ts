import { afterAll, beforeAll, expect, test } from "bun:test";

import { streamManager } from "@leeway/shared/bus/streams";
import { DriftRequested } from "@leeway/shared/contracts/inventory/scans";

import { newOrg, startInventory, type TestInventory } from "./kit.ts";

const WORKERS = 4;
/** Longer than the five seconds between searches for stalled scans. */
const SWEEP_MS = 5_500;

let inventory: TestInventory;
beforeAll(async () => {
  inventory = await startInventory({ worker: false });
});
afterAll(() => inventory.stop());

/**
 * Creates accounts whose requested drift can't be computed until `release`. With `startWorker`, all pushes end before a
 * worker computes drift: blocked drift takes the connections that they need.
 */
async function held(count: number, startWorker?: () => Promise<void>) {
  const org = newOrg(inventory);
  const accounts = await Promise.all(
    Array.from({ length: count }, (_, index) => org.account("aws", `11111111111${index}`)),
  );
  const push = () => Promise.all(accounts.map((account) => org.startPush(account, "[]")));
  const early = startWorker && (await push());
  const locked = Promise.withResolvers<void>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const holding = inventory.test.admin.begin(async (sql) => {
    for (const { id } of accounts)
      await sql`select pg_advisory_xact_lock(hashtextextended(${`compute drift ${id}`}, 0))`;
    locked.resolve();
    await released;
  });
  await locked.promise;
  const scans = early ?? (await push());
  await startWorker?.();
  return {
    ids: scans.map(({ id }) => id),
    async release() {
      release();
      await holding;
      for (const { id } of scans) while (!(await org.scan(id)).finished_at) await Bun.sleep(50);
    },
  };
}

async function onTheBus(): Promise<{ waiting: number; underWay: number }> {
  const info = await (
    await streamManager(inventory.bus)
  ).consumers.info(DriftRequested.stream, "inventory-drift");
  return { waiting: info.num_pending, underWay: info.num_ack_pending };
}

const age = (ids: string[]) => inventory.test.admin`
  update inventory.scans set touched_at = now() - interval '31 s' where id = any (${ids}::uuid[])
`;

test("drift that waits for a worker isn't requested again", async () => {
  const { ids, release } = await held(WORKERS + 3, () => inventory.startWorker());
  const full = { waiting: 3, underWay: WORKERS };
  while (!Bun.deepEquals(await onTheBus(), full)) await Bun.sleep(20);
  await age(ids);
  await Bun.sleep(SWEEP_MS);
  expect(await onTheBus()).toEqual(full);
  await release();
});

test("drift that takes long to compute isn't requested again", async () => {
  const { ids, release } = await held(1);
  while ((await onTheBus()).underWay === 0) await Bun.sleep(20);
  await age(ids);
  await Bun.sleep(SWEEP_MS);
  const stalled = await inventory.test.admin`
    select id from inventory.scans where id = any (${ids}::uuid[]) and touched_at < now() - interval '10 s'
  `;
  expect([...stalled]).toEqual([]);
  await Bun.sleep(SWEEP_MS);
  await release();
});

test("drift lost by the bus is requested again", async () => {
  const { ids, release } = await held(1);
  while ((await onTheBus()).underWay === 0) await Bun.sleep(20);
  await release();
  await inventory.test.admin`
    update inventory.scans set status = 'running', finished_at = null, touched_at = now() - interval '31 s'
     where id = any (${ids}::uuid[])
  `;
  const ended = () => inventory.test.admin`
    select id from inventory.scans where id = any (${ids}::uuid[]) and status = 'succeeded'
  `;
  while ((await ended()).length === 0) await Bun.sleep(50);
});
