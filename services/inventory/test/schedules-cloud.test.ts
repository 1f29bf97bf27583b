import { CreateSchedule, GetSchedule } from "@leeway/shared/contracts/inventory/schedules";
import type { Running } from "@leeway/shared/service/service";
import { testLog } from "@leeway/shared/testing/testing";
import { afterAll, beforeAll, expect, test } from "bun:test";

import { startSchedules } from "../src/schedules/start.ts";
import { denied, scansOf, serveWorlds } from "./aws-cloud.ts";
import { newOrg, startInventory, type TestInventory } from "./kit.ts";

const worlds = serveWorlds(1_500);
let inventory: TestInventory;
let schedules: Running;
beforeAll(async () => {
  inventory = await startInventory({ clouds: worlds.clouds });
  const { database, bus } = inventory;
  schedules = startSchedules({ database, bus, log: testLog() });
});
afterAll(async () => {
  await schedules.drain();
  await inventory.stop();
  await worlds.stop();
});

async function start() {
  const { id: org_id, resources } = newOrg(inventory);
  const world = worlds.newWorld();
  const scans = scansOf(inventory.call, org_id);
  const { id: account_id } = await scans.account(world);
  const created_by = { type: "system" as const, id: "test" };
  const made = await inventory.call(CreateSchedule, { org_id, account_id, cron: "@daily", created_by });
  const get = () => inventory.call(GetSchedule, { org_id, schedule_id: made.id });
  /** Makes the schedule due. Returns its scan once it has ended and the schedule has recorded it. */
  const run = async () => {
    const { last_scan_id: before } = await get();
    await inventory.test.admin`
      update inventory.scan_schedules set next_run_at = now(), enabled = true where id = ${made.id}
    `;
    for (;;) {
      const { last_scan_id: id } = await get();
      if (id !== undefined && id !== before) {
        const scan = await scans.until(id, ({ finished_at }) => finished_at !== undefined);
        const settled = () => inventory.test.admin`select from inventory.scans where id = ${id} and settled`;
        while ((await settled()).length === 0) await Bun.sleep(20);
        return scan;
      }
      await Bun.sleep(20);
    }
  };
  return { world, get, run, resources };
}

test("a schedule's scan replaces the inventory", async () => {
  const { world, run, resources, get } = await start();
  world.queues.set("eu-west-1", ["a", "b"]);
  expect(await run()).toMatchObject({
    status: "succeeded",
    trigger: "schedule",
    stats: { seen: 2, created: 2 },
  });
  expect(await resources()).toHaveLength(2);
  expect(await get()).toMatchObject({
    enabled: true,
    consecutive_failures: 0,
    next_run_at: expect.any(String),
  });
});

test("a schedule whose cloud denies everything five times is disabled with the cloud's reason", async () => {
  const { world, run, get } = await start();
  world.interfere = () => denied("sts:AssumeRole");
  for (let failures = 1; failures <= 5; failures += 1) {
    expect(await run()).toMatchObject({ status: "failed" });
    expect(await get()).toMatchObject({ consecutive_failures: failures, enabled: failures < 5 });
  }
  expect((await get()).disabled_reason).toStartWith("5 consecutive scans failed; last error: ");
});
