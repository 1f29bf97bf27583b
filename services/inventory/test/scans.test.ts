import { CreateAccount } from "@leeway/shared/contracts/inventory/accounts";
import { ListScans, RescanProjects } from "@leeway/shared/contracts/inventory/scans";
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";

import { arn, denied, scansOf, serveWorlds, type AwsWorld } from "./aws-cloud.ts";
import type { Answer, Call } from "../src/connectors/aws/aws.fixture.ts";
import { flood, trickle } from "../src/connectors/rest/rest.fixture.ts";
import { newOrg, ndjson, startInventory, tfstate, type TestInventory } from "./kit.ts";

setDefaultTimeout(30_000);

const worlds = serveWorlds(1_500);
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
  const scans = scansOf(inventory.call, org.id);
  const account = await scans.account(world, more);
  const names = async () =>
    (await org.resources())
      .map((row) => row.provider_resource_id.split(":").slice(3).join(":").replace(/:\d+:/, " "))
      .toSorted();
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

const explorerOf = (region: string) => (call: Call) =>
  call.action === "resource-explorer-2:ListResources" &&
  JSON.stringify(call.input).includes(`region:${region}`);

describe("what a scan can't see", () => {
  test("stays, with the time when it was last seen, and counts as before; the rest is up to date", async () => {
    const { org, world, scans, account, names } = await start();
    set(world, "eu-west-1", ["a", "b"]);
    set(world, "us-east-1", ["c", "d"]);
    await org.pushState(await org.source("all"), queueState(["eu-west-1", "a"], ["us-east-1", "c"]));
    await scans.run({ account_id: account.id });
    const before = await org.resources();
    world.interfere = (call) =>
      explorerOf("eu-west-1")(call) ? denied("resource-explorer-2:ListResources") : undefined;
    set(world, "eu-west-1", []);
    set(world, "us-east-1", ["c", "e"]);
    const scan = await scans.run({ account_id: account.id });
    expect(scan).toMatchObject({
      status: "partial",
      stats: { seen: 2, created: 1, gone: 1, matched: 2, regions_ok: 2, regions_failed: 1 },
      errors: [
        {
          service: "resource-explorer-2",
          region: "eu-west-1",
          code: "permission_denied",
          message: "resource-explorer-2:ListResources isn't allowed in eu-west-1",
          count: 1,
        },
      ],
    });
    expect(await names()).toEqual(["eu-west-1 a", "eu-west-1 b", "us-east-1 c", "us-east-1 e"]);
    const seenAt = (rows: typeof before, name: string) =>
      rows.find((row) => row.provider_resource_id.endsWith(`:${name}`))?.last_seen_at ?? "";
    const after = await org.resources();
    expect(seenAt(after, "a")).toBe(seenAt(before, "a"));
    expect(seenAt(after, "c") > seenAt(before, "c")).toBe(true);
    expect(await org.posture()).toMatchObject([{ coverage_pct: 50, missing_count: 0 }]);
    expect((await scans.run({ account_id: account.id })).stats).toMatchObject({ created: 0, gone: 0 });
    expect(seenAt(await org.resources(), "a")).toBe(seenAt(before, "a"));
    world.interfere = () => undefined;
    expect(await scans.run({ account_id: account.id })).toMatchObject({
      status: "succeeded",
      stats: { gone: 2 },
    });
    expect(await names()).toEqual(["us-east-1 c", "us-east-1 e"]);
    expect(await org.posture()).toMatchObject([{ missing_count: 1 }]);
  });

  test("is not missing, though it was never seen", async () => {
    const { org, world, scans, account } = await start();
    set(world, "us-east-1", ["c"]);
    await org.pushState(await org.source("all"), queueState(["eu-west-1", "a"], ["us-east-1", "gone"]));
    world.interfere = (call) =>
      explorerOf("eu-west-1")(call) ? denied("resource-explorer-2:ListResources") : undefined;
    await scans.run({ account_id: account.id });
    expect(await org.posture()).toMatchObject([{ missing_count: 1 }]);
    const declared = (await org.declared()).map(({ address, match }) => [address, match.status]);
    expect(Object.fromEntries(declared)).toEqual({
      "aws_sqs_queue.a": "unobserved",
      "aws_sqs_queue.gone": "missing",
    });
  });

  test("is one service, where one is denied: what the others don't show any more is gone", async () => {
    const { org, world, scans, account } = await start({ regions: ["eu-west-1"] });
    const types = Object.entries({ a: "AWS::SQS::Queue", b: "AWS::SNS::Topic", c: "AWS::SQS::QueuePolicy" });
    const rows = types.map(([id, type]) => ({ provider_resource_id: id, provider_type: type }));
    await org.pushListing(account, ndjson(rows));
    // As if scans had shown them.
    await inventory.test.admin`
      update inventory.live_resources
         set shards = array[case when provider_type like '%SQS%' then 'sqs' else 'sns' end || ' eu-west-1']
       where cloud_account_id = ${account.id}
    `;
    world.indexed = false;
    world.interfere = ({ action, input }) =>
      action === "cloudformation:ListResources" && input["TypeName"] === "AWS::SQS::Queue"
        ? denied("sqs:ListQueues")
        : undefined;
    const scan = await scans.run({ account_id: account.id });
    const message = "sqs:ListQueues isn't allowed in eu-west-1";
    expect(scan).toMatchObject({
      status: "partial",
      stats: { gone: 2 },
      errors: [{ service: "sqs", region: "eu-west-1", code: "permission_denied", message, count: 1 }],
    });
    expect((await org.resources()).map((row) => row.provider_resource_id)).toEqual(["a"]);
  }, 60_000);

  test.each<[string, () => Answer, object]>([
    ["doesn't answer", () => "silence", { code: "timeout" }],
    ["trickles", trickle, { code: "timeout" }],
    [
      "never ends its answer",
      flood,
      { code: "internal", message: expect.stringContaining("AnswerTooLarge") },
    ],
  ])("is a region that %s, and it doesn't keep others from being seen", async (_, answer, error) => {
    const { world, scans, account, names } = await start();
    const other = await start();
    set(other.world, "us-east-1", ["c"]);
    set(world, "eu-west-1", ["a"]);
    set(world, "us-east-1", ["b"]);
    const met = Promise.withResolvers<void>();
    world.interfere = (call) => {
      if (!explorerOf("us-east-1")(call)) return undefined;
      met.resolve();
      return answer();
    };
    const { id } = await scans.start({ account_id: account.id });
    await met.promise;
    const metAt = performance.now();
    expect(await other.scans.run({ account_id: other.account.id })).toMatchObject({ status: "succeeded" });
    expect(performance.now() - metAt).toBeLessThan(3_000);
    expect(await scans.until(id, ({ finished_at }) => finished_at !== undefined)).toMatchObject({
      status: "partial",
      errors: [{ service: "resource-explorer-2", region: "us-east-1", ...error }],
    });
    expect(await names()).toEqual(["eu-west-1 a"]);
  });
});

test("a cloud that asks to slow down is asked more slowly, and seen whole", async () => {
  const { world, scans, account, names } = await start();
  set(world, "eu-west-1", ["a", "b", "c", "d", "e"]);
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

describe("a scan that fails", () => {
  test("changes nothing", async () => {
    const { world, scans, account, names } = await start();
    set(world, "eu-west-1", ["a"]);
    await scans.run({ account_id: account.id });
    world.interfere = () => ({ status: 403, code: "ExpiredTokenException" });
    const scan = await scans.run({ account_id: account.id });
    expect(scan).toMatchObject({
      status: "failed",
      errors: [
        { code: "permission_denied", message: expect.stringContaining("doesn't accept the credentials") },
      ],
    });
    expect(await names()).toEqual(["eu-west-1 a"]);
  });

  test("because all of its parts did says why each", async () => {
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

/** A scan that has listed all but the last region, which answers when it is let. */
async function halted() {
  const started = await start();
  const { world, scans, account } = started;
  set(world, "eu-west-1", ["a"]);
  set(world, "us-east-1", ["b"]);
  await scans.run({ account_id: account.id });
  set(world, "eu-west-1", ["c"]);
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

test("an organization whose clouds hang doesn't keep another from its scan", async () => {
  const { world, scans } = await start();
  world.interfere = () => Promise.withResolvers<undefined>().promise;
  const accounts = await Promise.all(
    Array.from({ length: 6 }, (_, index) => scans.account(world, { external_id: `99999999999${index}` })),
  );
  const hung = await Promise.all(accounts.map(({ id }) => scans.start({ account_id: id })));
  const all = () => Promise.all(hung.map(({ id }) => scans.get(id)));
  while ((await all()).filter(({ status }) => status === "running").length < 3) await Bun.sleep(20);
  const other = await start();
  set(other.world, "eu-west-1", ["a"]);
  expect(await other.scans.run({ account_id: other.account.id })).toMatchObject({ status: "succeeded" });
  expect((await all()).filter(({ finished_at }) => finished_at !== undefined)).toEqual([]);
});

describe("while a scan is under way", () => {
  test("another one of the account, or a push, is refused and told which", async () => {
    const { org, scans, account, scan, go } = await halted();
    const refusal = { code: "scan_in_progress", fields: { scan_id: scan.id } };
    await expect(scans.start({ account_id: account.id })).rejects.toMatchObject(refusal);
    await expect(org.startPush(account, ndjson([]))).rejects.toMatchObject(refusal);
    go();
    await scans.until(scan.id, ({ status }) => status === "succeeded");
  });

  test("canceling it ends it, drops what it has found, and makes way for the next", async () => {
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

  test("canceling waits for whoever holds it for a moment", async () => {
    const { scans, scan, go } = await halted();
    const { admin } = inventory.test;
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

  test("deleting its account ends it", async () => {
    const { org, account, scan, go } = await halted();
    await inventory.test.admin`delete from inventory.cloud_accounts where id = ${account.id}`;
    go();
    await Bun.sleep(1_500);
    expect(
      await inventory.test.admin`select from inventory.scan_pages where scan_id = ${scan.id}`,
    ).toHaveLength(0);
    expect(await org.resources({ account_id: account.id })).toEqual([]);
  });

  test("whoever lost it to another changes nothing any more", async () => {
    const { world, scans, account, names, scan, go } = await halted();
    // As if this process had stood still for so long that another was given the scan, and canceled.
    await inventory.test.admin`update inventory.scans set worker = gen_random_uuid() where id = ${scan.id}`;
    go();
    await Bun.sleep(1_500);
    expect(await names()).toEqual(["eu-west-1 a", "us-east-1 b"]);
    world.interfere = () => undefined;
    // The other died too.
    await inventory.test
      .admin`update inventory.scans set touched_at = now() - interval '11 s' where id = ${scan.id}`;
    const done = await scans.until(scan.id, ({ finished_at }) => finished_at !== undefined);
    expect(done).toMatchObject({ status: "succeeded", stats: { seen: 2 } });
    expect(await names()).toEqual(["eu-west-1 c", "us-east-1 b"]);
    await scans.run({ account_id: account.id });
  });

  test.each([
    ["less than an hour goes on with what it has seen", "59 min", "eu-west-1 c"],
    ["more than an hour lists what it has seen anew", "61 min", "eu-west-1 d"],
  ])("an outage of %s", async (_, outage, seen) => {
    const { world, scans, account, names, scan, go } = await halted();
    const { admin } = inventory.test;
    // When they were listed counts, not when they were planned, as is the time of what is pending.
    const listed = () => admin`
      select from inventory.scan_shards
       where scan_id = ${scan.id}
         and status = 'listed'
         and touched_at > (
           select min(touched_at) from inventory.scan_shards where scan_id = ${scan.id} and status = 'pending'
         )
    `;
    while ((await listed()).length < 4) await Bun.sleep(10);
    set(world, "eu-west-1", ["d"]);
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

test("a scan of some regions leaves what is in others as it is", async () => {
  const { org, world, scans, account, names } = await start();
  set(world, "eu-west-1", ["a"]);
  set(world, "us-east-1", ["b"]);
  await org.pushState(await org.source("all"), queueState(["us-east-1", "gone"]));
  expect(await scans.run({ account_id: account.id, regions: ["eu-west-1"] })).toMatchObject({
    status: "succeeded",
    stats: { seen: 1 },
  });
  expect(await org.posture()).toMatchObject([{ missing_count: 0 }]);
  await scans.run({ account_id: account.id });
  set(world, "eu-west-1", ["c"]);
  set(world, "us-east-1", []);
  const scan = await scans.run({ account_id: account.id, regions: ["eu-west-1"] });
  expect(scan).toMatchObject({ status: "succeeded", stats: { created: 1, gone: 1, regions_ok: 2 } });
  expect(await names()).toEqual(["eu-west-1 c", "us-east-1 b"]);
  expect(await org.posture()).toMatchObject([{ missing_count: 1 }]);
});

test("an account that seems empty keeps what it has until a second scan says the same", async () => {
  const { world, scans, account, names } = await start();
  set(world, "eu-west-1", ["a"]);
  await scans.run({ account_id: account.id });
  set(world, "eu-west-1", []);
  const scan = await scans.run({ account_id: account.id });
  expect(scan).toMatchObject({ status: "partial", stats: { seen: 0 }, errors: [{ code: "empty_listing" }] });
  expect(await names()).toEqual(["eu-west-1 a"]);
  expect(await scans.run({ account_id: account.id })).toMatchObject({
    status: "succeeded",
    stats: { gone: 1 },
  });
  expect(await names()).toEqual([]);
});

test("a resource that two parts of a scan show is one, and gone only when neither shows it", async () => {
  const { world, scans, account, names } = await start();
  set(world, "eu-west-1", ["a", "b"]);
  world.tagged.add("a");
  expect((await scans.run({ account_id: account.id })).stats).toMatchObject({ seen: 3, created: 2 });
  world.interfere = (call) =>
    explorerOf("eu-west-1")(call) ? denied("resource-explorer-2:ListResources") : undefined;
  world.tagged.delete("a");
  expect((await scans.run({ account_id: account.id })).stats).toMatchObject({ gone: 0 });
  world.interfere = () => undefined;
  set(world, "eu-west-1", ["b"]);
  expect((await scans.run({ account_id: account.id })).stats).toMatchObject({ gone: 1 });
  expect(await names()).toEqual(["eu-west-1 b"]);
});

test("the same documents pushed give the same inventory", async () => {
  const { org, world, scans, account } = await start();
  set(world, "eu-west-1", ["a", "b", "c"]);
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

describe("asking for a scan", () => {
  test("of no account in particular starts one for each that has credentials", async () => {
    const { org, world, scans, account } = await start();
    const other = await scans.account(world, { external_id: "123456789013" });
    await org.account("aws", "123456789014");
    const { also_started = [], ...scan } = await scans.start({});
    expect(scan).toMatchObject({ account_id: account.id, status: "queued" });
    const { data } = await inventory.call(ListScans, { org_id: org.id, limit: 10 });
    expect(data.map(({ account_id }) => account_id).toSorted()).toEqual([account.id, other.id].toSorted());
    await scans.until(scan.id, ({ finished_at }) => finished_at !== undefined);
    const foreign = await scans.until(also_started[0]!, ({ finished_at }) => finished_at !== undefined);
    expect(foreign).toMatchObject({
      status: "failed",
      errors: [{ message: "the credentials are of account 123456789012, not of 123456789013" }],
    });
  });

  test("for drift alone, of no account in particular, starts one for each that was ever scanned", async () => {
    const { org, scans } = await start(); // whose account has credentials, and was never scanned
    const pushed = await org.account("aws", "123456789014");
    await org.pushListing(pushed, "");
    const { also_started: others, ...scan } = await scans.start({ kind: "drift" });
    expect(scan).toMatchObject({ account_id: pushed.id, kind: "drift" });
    expect(others).toBeUndefined();
    const over = await scans.until(scan.id, ({ finished_at }) => finished_at !== undefined);
    expect(over).toMatchObject({ status: "succeeded", drift_snapshot_id: expect.any(String) });
  });

  test.each([
    ["account that isn't there", { account_id: crypto.randomUUID() }, "not_found"],
    ["organization without credentials", {}, "no_credentials"],
    ["organization that was never scanned, for its drift alone", { kind: "drift" } as const, "conflict"],
  ])("of an %s is refused", async (_, wish, code) => {
    await expect(scansOf(inventory.call, crypto.randomUUID()).start(wish)).rejects.toMatchObject({ code });
  });

  test("of a cloud that isn't configured, or without credentials, is refused", async () => {
    const { org, scans } = await start();
    const credentials = {
      kind: "static" as const,
      tenant_id: crypto.randomUUID(),
      client_id: crypto.randomUUID(),
      client_secret: "secret",
    };
    const azure = await inventory.call(CreateAccount, {
      org_id: org.id,
      provider: "azure",
      external_id: crypto.randomUUID(),
      credentials,
    });
    await expect(scans.start({ account_id: azure.id })).rejects.toMatchObject({
      code: "registry_not_configured",
    });
    const pushed = await org.account("aws", "123456789014");
    await expect(scans.start({ account_id: pushed.id })).rejects.toMatchObject({ code: "no_credentials" });
  });

  test("by a project's name scans the account of its source, else the only account there is", async () => {
    const { org, world, scans, account } = await start();
    const rescan = async (...project_names: string[]) =>
      (
        await inventory.call(RescanProjects, {
          org_id: org.id,
          requested_by: { type: "system", id: "comment" },
          project_names,
        })
      ).accounts;
    const [only] = await rescan("network/prod");
    expect(only?.account_id).toBe(account.id);
    const scan = await scans.until(only!.scan_id!, ({ finished_at }) => finished_at !== undefined);
    expect(scan).toMatchObject({ trigger: "webhook", status: "succeeded" });
    await scans.account(world, { external_id: "123456789013" });
    expect(await rescan("network/prod")).toEqual([]);
    const pushed = await org.account("aws", "123456789014");
    await org.source("network/prod", pushed.id);
    const [refused] = await rescan("network", "network/prod");
    expect(refused?.account_id).toBe(pushed.id);
    expect(refused?.refusal).toContain("no credentials");
  });

  test("for the inventory alone computes no drift, and for drift alone asks no cloud", async () => {
    const { org, world, scans, account } = await start();
    set(world, "eu-west-1", ["a"]);
    await expect(scans.start({ account_id: account.id, kind: "drift" })).rejects.toMatchObject({
      code: "conflict",
    });
    const scan = await scans.run({ account_id: account.id, kind: "inventory" });
    expect(scan).toMatchObject({ status: "succeeded", phase: "match", stats: { seen: 1, undeclared: 1 } });
    expect(scan).not.toHaveProperty("drift_snapshot_id");
    expect(await org.posture()).toMatchObject([{ drift_status: "none", undeclared_count: 1 }]);
    const { length } = world.calls;
    const drift = await scans.run({ account_id: account.id, kind: "drift" });
    expect(drift).toMatchObject({ status: "succeeded", drift_snapshot_id: expect.any(String) });
    expect(world.calls).toHaveLength(length);
    expect(await org.posture()).toMatchObject([{ drift_status: "ready", coverage_pct: 0 }]);
  });
});
