import { describe, expect, test } from "bun:test";

import { arn, denied } from "./aws-cloud.ts";
import { ndjson } from "./kit.ts";
import { explorerOf, queueState, scanning, setQueues } from "./scanning.ts";

const { start } = scanning();

describe("a scan of a cloud", () => {
  test("replaces the inventory and reports drift", async () => {
    const { org, world, scans, account, names } = await start();
    setQueues(world, "eu-west-1", ["a", "b", "c"]);
    setQueues(world, "us-east-1", ["d"]);
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
    setQueues(world, "eu-west-1", ["b", "e"]);
    const again = await scans.run({ account_id: account.id });
    expect(again.stats).toMatchObject({ seen: 3, created: 1, gone: 2 });
    expect(await names()).toEqual(["eu-west-1 b", "eu-west-1 e", "us-east-1 d"]);
  });
});

test("a cloud that throttles is called more slowly, and listed completely", async () => {
  const { world, scans, account, names } = await start();
  setQueues(world, "eu-west-1", ["a", "b", "c", "d", "e"]);
  let refusals = 3;
  world.interfere = (call) =>
    explorerOf("eu-west-1")(call) && (refusals -= 1) >= 0
      ? { status: 400, code: "ThrottlingException", headers: { "retry-after": "0" } }
      : undefined;
  expect(await scans.run({ account_id: account.id })).toMatchObject({
    status: "succeeded",
    stats: { seen: 5 },
  });
  expect(await names()).toHaveLength(5);
});

describe("a failed scan", () => {
  test("changes nothing", async () => {
    const { world, scans, account, names } = await start();
    setQueues(world, "eu-west-1", ["a"]);
    await scans.run({ account_id: account.id });
    world.interfere = () => ({ status: 403, code: "ExpiredTokenException" });
    const scan = await scans.run({ account_id: account.id });
    expect(scan).toMatchObject({
      status: "failed",
      errors: [{ code: "permission_denied", message: expect.stringContaining("rejected the credentials") }],
    });
    expect(await names()).toEqual(["eu-west-1 a"]);
  });

  test("lists the reason of each failed part", async () => {
    const { world, scans, account } = await start();
    world.interfere = ({ action }) =>
      /ListResources|GetResources/.test(action) ? denied(action) : undefined;
    world.indexed = false;
    const scan = await scans.run({ account_id: account.id, regions: ["eu-west-1"] });
    expect(scan).toMatchObject({ status: "failed", stats: { regions_ok: 0, regions_failed: 2 } });
    expect(scan.errors).toHaveLength(100);
    expect(scan.errors.at(-1)).toMatchObject({
      message: expect.stringMatching(/^\d+ more parts of the account failed$/),
    });
  });
});

test("a resource in two parts of a scan is one, and removed only when both lack it", async () => {
  const { world, scans, account, names } = await start();
  setQueues(world, "eu-west-1", ["a", "b"]);
  world.tagged.add("a");
  expect((await scans.run({ account_id: account.id })).stats).toMatchObject({ seen: 3, created: 2 });
  world.interfere = (call) =>
    explorerOf("eu-west-1")(call) ? denied("resource-explorer-2:ListResources") : undefined;
  world.tagged.delete("a");
  expect((await scans.run({ account_id: account.id })).stats).toMatchObject({ gone: 0 });
  world.interfere = () => undefined;
  setQueues(world, "eu-west-1", ["b"]);
  expect((await scans.run({ account_id: account.id })).stats).toMatchObject({ gone: 1 });
  expect(await names()).toEqual(["eu-west-1 b"]);
});

test("the same documents pushed give the same inventory", async () => {
  const { org, world, scans, account } = await start();
  setQueues(world, "eu-west-1", ["a", "b", "c"]);
  world.tagged.add("b");
  await org.pushState(await org.source("all"), queueState(["eu-west-1", "a"]));
  const scan = await scans.run({ account_id: account.id });
  const inventoryOf = async () =>
    (await org.resources())
      .map((row) => ({ ...row, last_seen_at: undefined }))
      .toSorted((a, b) => (a.provider_resource_id < b.provider_resource_id ? -1 : 1));
  const pulled = await inventoryOf();
  const documents = [
    {
      Resources: ["a", "b", "c"].map((name) => ({
        Arn: arn("eu-west-1", name),
        ResourceType: "sqs:queue",
        Region: "eu-west-1",
        Service: "sqs",
        OwningAccountId: "123456789012",
        Properties: [],
      })),
    },
    {
      ResourceTagMappingList: [{ ResourceARN: arn("eu-west-1", "b"), Tags: [{ Key: "team", Value: "web" }] }],
    },
  ];
  const pushed = await org.pushListing(account, ndjson(documents));
  expect(pushed.stats).toMatchObject({ seen: 4, created: 0, gone: 0 });
  expect(pushed.format).toBe(scan.format);
  expect(await inventoryOf()).toEqual(pulled);
});
