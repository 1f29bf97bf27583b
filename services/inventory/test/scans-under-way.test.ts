import { ScanRequested } from "@leeway/shared/contracts/inventory/scans";
import { describe, expect, test } from "bun:test";

import { ndjson } from "./kit.ts";
import { explorerOf, scanning, setQueues } from "./scanning.ts";

const cloud = scanning(1_500);
const { start } = cloud;

/** Starts a scan that has listed everything except the last region, which answers once it is released. */
async function halted() {
  const started = await start();
  const { world, scans, account } = started;
  setQueues(world, "eu-west-1", ["a"]);
  setQueues(world, "us-east-1", ["b"]);
  await scans.run({ account_id: account.id });
  setQueues(world, "eu-west-1", ["c"]);
  const gate = Promise.withResolvers<undefined>();
  const met = Promise.withResolvers<void>();
  world.interfere = (call) => {
    if (!explorerOf("us-east-1")(call)) return undefined;
    met.resolve();
    return gate.promise;
  };
  const scan = await scans.start({ account_id: account.id });
  await met.promise;
  return { ...started, scan, go: () => gate.resolve(undefined) };
}

test("an organization with hanging clouds doesn't delay another's scan", async () => {
  const { world, scans } = await start();
  world.interfere = () => Promise.withResolvers<undefined>().promise;
  const accounts = await Promise.all(
    Array.from({ length: 6 }, (_, index) => scans.account(world, { external_id: `99999999999${index}` })),
  );
  const hung = await Promise.all(accounts.map(({ id }) => scans.start({ account_id: id })));
  const all = () => Promise.all(hung.map(({ id }) => scans.get(id)));
  while ((await all()).filter(({ status }) => status === "running").length < 3) await Bun.sleep(20);
  const other = await start();
  setQueues(other.world, "eu-west-1", ["a"]);
  expect(await other.scans.run({ account_id: other.account.id })).toMatchObject({ status: "succeeded" });
  expect((await all()).filter(({ finished_at }) => finished_at !== undefined)).toEqual([]);
});

test("waiting scans aren't published again while all workers are busy", async () => {
  const { admin } = cloud.inventory.test;
  const open = async () => {
    const rows = await admin<{ status: string }[]>`
      select status from inventory.scans where finished_at is null
    `;
    return Map.groupBy(rows, ({ status }) => status);
  };
  while ((await open()).size > 0) await Bun.sleep(50);
  for (const org of ["a", "b"]) {
    const { world, scans } = await start();
    world.interfere = () => Promise.withResolvers<undefined>().promise;
    const ids = Array.from({ length: 6 }, (_, index) => `99999999999${index}`);
    const accounts = await Promise.all(ids.map((external_id) => scans.account(world, { external_id })));
    for (const { id } of accounts) await scans.start({ account_id: id });
    while (((await open()).get("running") ?? []).length < (org === "a" ? 3 : 4)) await Bun.sleep(5);
  }
  const manager = await cloud.inventory.bus.nats.jetstreamManager();
  const onTheBus = async () => (await manager.streams.info(ScanRequested.stream)).state.messages;
  const before = await onTheBus();
  const waiting = await admin`
    update inventory.scans set touched_at = touched_at - interval '11 s' where status = 'queued' returning id
  `;
  expect(waiting).toHaveLength(8);
  await Bun.sleep(3_000);
  expect(await onTheBus()).toBeLessThanOrEqual(before);
});

describe("a running scan", () => {
  test("makes another one or a push fail with its id", async () => {
    const { org, scans, account, scan, go } = await halted();
    const refusal = { code: "scan_in_progress", fields: { scan_id: scan.id } };
    await expect(scans.start({ account_id: account.id })).rejects.toMatchObject(refusal);
    await expect(org.startPush(account, ndjson([]))).rejects.toMatchObject(refusal);
    go();
    await scans.until(scan.id, ({ status }) => status === "succeeded");
  });

  test("that is cancelled ends, drops its results and allows the next", async () => {
    const { world, scans, account, names, scan, go } = await halted();
    expect(await scans.cancel(scan.id)).toMatchObject({ status: "canceled" });
    await Bun.sleep(2_000);
    const { length } = world.calls;
    go();
    await Bun.sleep(200);
    expect(world.calls).toHaveLength(length);
    expect(await names()).toEqual(["eu-west-1 a", "us-east-1 b"]);
    await expect(scans.cancel(scan.id)).rejects.toMatchObject({ code: "not_cancelable" });
    world.interfere = () => undefined;
    await scans.run({ account_id: account.id });
    expect(await names()).toEqual(["eu-west-1 c", "us-east-1 b"]);
  });

  test("can be cancelled while a worker holds it for a moment", async () => {
    const { scans, scan, go } = await halted();
    const { admin } = cloud.inventory.test;
    const held = Promise.withResolvers<void>();
    const writing = admin.begin(async (tx) => {
      await tx`select from inventory.scans where id = ${scan.id} for share`;
      held.resolve();
      await Bun.sleep(300);
    });
    await held.promise;
    expect(await scans.cancel(scan.id)).toMatchObject({ status: "canceled" });
    await writing;
    go();
  });

  test("ends when its account is deleted", async () => {
    const { org, account, scan, go } = await halted();
    await cloud.inventory.test.admin`delete from inventory.cloud_accounts where id = ${account.id}`;
    go();
    await Bun.sleep(1_500);
    expect(
      await cloud.inventory.test.admin`select from inventory.scan_pages where scan_id = ${scan.id}`,
    ).toHaveLength(0);
    expect(await org.resources({ account_id: account.id })).toEqual([]);
  });

  test("that was taken over by another worker is no longer changed by the first", async () => {
    const { world, scans, account, names, scan, go } = await halted();
    // Simulates a suspended process whose scan was handed to another process.
    await cloud.inventory.test
      .admin`update inventory.scans set worker = gen_random_uuid() where id = ${scan.id}`;
    go();
    await Bun.sleep(1_500);
    expect(await names()).toEqual(["eu-west-1 a", "us-east-1 b"]);
    world.interfere = () => undefined;
    // The other process died too.
    await cloud.inventory.test
      .admin`update inventory.scans set touched_at = now() - interval '11 s' where id = ${scan.id}`;
    const done = await scans.until(scan.id, ({ finished_at }) => finished_at !== undefined);
    expect(done).toMatchObject({ status: "succeeded", stats: { seen: 2 } });
    expect(await names()).toEqual(["eu-west-1 c", "us-east-1 b"]);
    await scans.run({ account_id: account.id });
  });

  test.each([
    ["less than an hour continues with its results", "59 min", "eu-west-1 c"],
    ["more than an hour starts again", "61 min", "eu-west-1 d"],
  ])("after an outage of %s", async (_, outage, seen) => {
    const { world, scans, account, names, scan, go } = await halted();
    const { admin } = cloud.inventory.test;
    // The time of listing counts, not the time of planning, which pending shards still have.
    const listed = () => admin`
      select from inventory.scan_shards
       where scan_id = ${scan.id}
         and status = 'listed'
         and touched_at > (
           select min(touched_at) from inventory.scan_shards where scan_id = ${scan.id} and status = 'pending'
         )
    `;
    while ((await listed()).length < 4) await Bun.sleep(10);
    setQueues(world, "eu-west-1", ["d"]);
    await admin`
      update inventory.scan_shards set touched_at = touched_at - ${outage}::interval where scan_id = ${scan.id}
    `;
    await admin`
      update inventory.scans set worker = gen_random_uuid(), touched_at = touched_at - ${outage}::interval
       where id = ${scan.id}
    `;
    go();
    const done = await scans.until(scan.id, ({ finished_at }) => finished_at !== undefined);
    expect(done).toMatchObject({ status: "succeeded", stats: { seen: 2, regions_ok: 3 } });
    expect(await names()).toEqual([seen, "us-east-1 b"]);
    await scans.run({ account_id: account.id });
  });
});
