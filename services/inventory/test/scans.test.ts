import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";

import { arn, denied, scansOf, serveWorlds, type AwsWorld } from "./aws-cloud.ts";
import { newOrg, startInventory, tfstate, type TestInventory } from "./kit.ts";

setDefaultTimeout(30_000);

const worlds = serveWorlds(400);
let inventory: TestInventory;
beforeAll(async () => {
  inventory = await startInventory({ clouds: worlds.clouds });
});
afterAll(async () => {
  await inventory.stop();
  await worlds.stop();
});

async function start(more: Parameters<ReturnType<typeof scansOf>["account"]>[1] = {}) {
  const org = newOrg(inventory);
  const world = worlds.newWorld();
  const scans = scansOf(inventory, org.id);
  const account = await scans.account(world, more);
  const names = async () =>
    (await org.resources()).map((row) => row.provider_resource_id.split(":").slice(3).join(":").replace(/:\d+:/, " ")).toSorted();
  return { org, world, scans, account, names };
}

const set = (world: AwsWorld, region: string, names: string[]) => void world.queues.set(region, names);
const queueState = (...queues: [region: string, name: string][]) =>
  tfstate(
    queues.map(([region, name]) => ({
      type: "aws_sqs_queue",
      name,
      attributes: { id: arn(region, name), arn: arn(region, name), name },
    })),
  );

describe("a scan of a cloud", () => {
  test("makes what the cloud shows the inventory, and tells drift", async () => {
    const { org, world, scans, account, names } = await start();
    set(world, "eu-west-1", ["a", "b", "c"]);
    set(world, "us-east-1", ["d"]);
    await org.pushState(await org.source("all"), queueState(["eu-west-1", "a"], ["eu-west-1", "gone"]));
    const queued = await scans.start({ account_id: account.id });
    expect(queued).toMatchObject({ status: "queued", trigger: "manual", kind: "full", phase: "discover" });
    const scan = await scans.until(queued.id, ({ finished_at }) => finished_at !== undefined);
    expect(scan).toMatchObject({
      status: "succeeded",
      errors: [],
      stats: { seen: 4, created: 4, gone: 0, matched: 1, undeclared: 3, regions_ok: 3, regions_failed: 0 },
    });
    expect(await names()).toEqual(["eu-west-1 a", "eu-west-1 b", "eu-west-1 c", "us-east-1 d"]);
    const [posture] = await org.posture();
    expect(posture).toMatchObject({ coverage_pct: 25, missing_count: 1, drift_status: "ready" });
    set(world, "eu-west-1", ["b", "e"]);
    const again = await scans.run({ account_id: account.id });
    expect(again.stats).toMatchObject({ seen: 3, created: 1, gone: 2 });
    expect(await names()).toEqual(["eu-west-1 b", "eu-west-1 e", "us-east-1 d"]);
  });
});
