import { describe, expect, test } from "bun:test";

import { ACCOUNT, type Answer } from "@leeway/connectors/aws/aws.fixture";
import { flood, trickle } from "@leeway/connectors/rest/rest.fixture";
import { arn, denied } from "./aws-cloud.ts";
import { ndjson, tfstate } from "./kit.ts";
import { explorerOf, queueState, scanning, setQueues } from "./scanning.ts";

const cloud = scanning(1_500);
const { start } = cloud;

/** Builds a listener as a state declares it. */
function listener(name: string, tags: object) {
  const id = `arn:aws:elasticloadbalancing:eu-west-1:${ACCOUNT}:listener/app/${name}/0123456789abcdef/0123456789abcdef`;
  return { type: "aws_lb_listener", name, attributes: { id, arn: id, tags } };
}

describe("a resource that a scan can't see", () => {
  test("keeps its last-seen time and its counts, and the rest is updated", async () => {
    const { org, world, scans, account, names } = await start();
    setQueues(world, "eu-west-1", ["a", "b"]);
    setQueues(world, "us-east-1", ["c", "d"]);
    await org.pushState(await org.source("all"), queueState(["eu-west-1", "a"], ["us-east-1", "c"]));
    await scans.run({ account_id: account.id });
    const before = await org.resources();
    world.interfere = (call) =>
      explorerOf("eu-west-1")(call) ? denied("resource-explorer-2:ListResources") : undefined;
    setQueues(world, "eu-west-1", []);
    setQueues(world, "us-east-1", ["c", "e"]);
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

  test("isn't missing, even if it was never seen", async () => {
    const { org, world, scans, account } = await start();
    setQueues(world, "us-east-1", ["c"]);
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

  test("belongs to the denied service: absent resources of others are removed", async () => {
    const { org, world, scans, account } = await start({ regions: ["eu-west-1"] });
    const types = Object.entries({ a: "AWS::SQS::Queue", b: "AWS::SNS::Topic", c: "AWS::SQS::QueuePolicy" });
    const rows = types.map(([id, type]) => ({ provider_resource_id: id, provider_type: type }));
    await org.pushListing(account, ndjson(rows));
    // Marks the resources as listed by scans.
    await cloud.inventory.test.admin`
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
  });

  test("is kept if a failed part may cover it, and removed if another part has shown it", async () => {
    const { world, scans, account, names } = await start();
    setQueues(world, "eu-west-1", ["a"]);
    setQueues(world, "us-east-1", ["b"]);
    await scans.run({ account_id: account.id });
    // Marks the resources as pushed.
    await cloud.inventory.test.admin`
      update inventory.live_resources set shards = null where cloud_account_id = ${account.id}
    `;
    await scans.run({ account_id: account.id });
    world.interfere = (call) =>
      explorerOf("us-east-1")(call) ? denied("resource-explorer-2:ListResources") : undefined;
    setQueues(world, "eu-west-1", []);
    setQueues(world, "us-east-1", []);
    expect(await scans.run({ account_id: account.id })).toMatchObject({ status: "partial" });
    expect(await names()).toEqual(["us-east-1 b"]);
  });

  test("isn't one that a part listed before it failed", async () => {
    const { world, scans, account, names } = await start({ regions: ["eu-west-1"] });
    setQueues(world, "eu-west-1", ["a", "b", "c"]);
    world.interfere = (call) => {
      const isFirstPage = explorerOf("eu-west-1")(call) && !("NextToken" in call.input);
      const isListing = "Filters" in call.input || call.action === "tag:GetResources";
      return isListing && !isFirstPage ? denied(call.action) : undefined;
    };
    const scan = await scans.run({ account_id: account.id });
    expect(scan).toMatchObject({ status: "partial", stats: { seen: 2, created: 2, regions_ok: 0 } });
    expect(scan.errors).toHaveLength(3);
    expect(await names()).toEqual(["eu-west-1 a", "eu-west-1 b"]);
    setQueues(world, "eu-west-1", []);
    world.interfere = ({ action, input }) =>
      "Filters" in input || action === "tag:GetResources" ? denied(action) : undefined;
    expect(await scans.run({ account_id: account.id })).toMatchObject({ status: "failed" });
  });

  test("may be an untagged one of a type that Cloud Control doesn't list", async () => {
    const { org, world, scans, account } = await start({ regions: ["eu-west-1"] });
    world.indexed = false;
    setQueues(world, "eu-west-1", ["a"]);
    const listeners = tfstate([listener("plain", {}), listener("tagged", { team: "web" })]);
    await org.pushState(await org.source("listeners"), listeners);
    await org.pushState(await org.source("queues"), queueState(["eu-west-1", "a"], ["eu-west-1", "gone"]));
    expect(await scans.run({ account_id: account.id })).toMatchObject({ status: "succeeded", errors: [] });
    const declared = (await org.declared()).map(({ address, match }) => [address, match.status]);
    expect(Object.fromEntries(declared)).toEqual({
      "aws_lb_listener.plain": "unobserved",
      "aws_lb_listener.tagged": "missing",
      "aws_sqs_queue.a": "matched",
      "aws_sqs_queue.gone": "missing",
    });
  });

  test.each<[string, () => Answer, object]>([
    ["never responds", () => "silence", { code: "timeout" }],
    ["responds too slowly", trickle, { code: "timeout" }],
    [
      "never ends its response",
      flood,
      { code: "internal", message: expect.stringContaining("AnswerTooLarge") },
    ],
  ])("in a region that %s doesn't keep others from being seen", async (_, answer, error) => {
    const { world, scans, account, names } = await start();
    const other = await start();
    setQueues(other.world, "us-east-1", ["c"]);
    setQueues(world, "eu-west-1", ["a"]);
    setQueues(world, "us-east-1", ["b"]);
    const met = Promise.withResolvers<void>();
    world.interfere = (call) => {
      if (!explorerOf("us-east-1")(call)) return undefined;
      met.resolve();
      return answer();
    };
    const { id } = await scans.start({ account_id: account.id });
    await met.promise;
    expect(await other.scans.run({ account_id: other.account.id })).toMatchObject({ status: "succeeded" });
    expect(await scans.until(id, ({ finished_at }) => finished_at !== undefined)).toMatchObject({
      status: "partial",
      errors: [{ service: "resource-explorer-2", region: "us-east-1", ...error }],
    });
    expect(await names()).toEqual(["eu-west-1 a"]);
  });
});

/** ARNs that only an index lists: the first type doesn't exist in Cloud Control, which can't list the second. */
const ODD = [
  `quantum:eu-west-1:${ACCOUNT}:qubit/1`,
  `elasticloadbalancing:eu-west-1:${ACCOUNT}:listener/app/a/0/1`,
];
const oddRows = ODD.map((rest) => ({
  Arn: `arn:aws:${rest}`,
  ResourceType: rest.startsWith("quantum") ? "quantum:qubit" : "elasticloadbalancing:listener/app",
  Region: "eu-west-1",
  OwningAccountId: ACCOUNT,
  Properties: [],
}));

test("a resource known only from an index is kept until a second scan without the index", async () => {
  const { world, scans, account, names } = await start({ regions: ["eu-west-1"] });
  setQueues(world, "eu-west-1", ["a", "b"]);
  const queues = ["a", "b"].map((name) => ({
    ...oddRows[0],
    Arn: arn("eu-west-1", name),
    ResourceType: "sqs:queue",
  }));
  world.interfere = (call) =>
    explorerOf("eu-west-1")(call)
      ? { body: { Resources: [...queues, ...oddRows], ViewArn: "view" } }
      : undefined;
  await scans.run({ account_id: account.id });
  expect(await names()).toHaveLength(4);
  const odd = (await names()).filter((name) => !/ [ab]$/.test(name));
  world.indexed = false;
  setQueues(world, "eu-west-1", ["a"]);
  const first = await scans.run({ account_id: account.id });
  expect(first).toMatchObject({ status: "succeeded", stats: { gone: 1 } });
  expect(await names()).toEqual([...odd, "eu-west-1 a"].toSorted());
  expect(await scans.run({ account_id: account.id })).toMatchObject({ stats: { gone: 2 } });
  expect(await names()).toEqual(["eu-west-1 a"]);
});

test("a scan of some regions leaves others unchanged", async () => {
  const { org, world, scans, account, names } = await start();
  setQueues(world, "eu-west-1", ["a"]);
  setQueues(world, "us-east-1", ["b"]);
  await org.pushState(await org.source("all"), queueState(["us-east-1", "gone"]));
  expect(await scans.run({ account_id: account.id, regions: ["eu-west-1"] })).toMatchObject({
    status: "succeeded",
    stats: { seen: 1 },
  });
  expect(await org.posture()).toMatchObject([{ missing_count: 0 }]);
  await scans.run({ account_id: account.id });
  setQueues(world, "eu-west-1", ["c"]);
  setQueues(world, "us-east-1", []);
  const scan = await scans.run({ account_id: account.id, regions: ["eu-west-1"] });
  expect(scan).toMatchObject({ status: "succeeded", stats: { created: 1, gone: 1, regions_ok: 2 } });
  expect(await names()).toEqual(["eu-west-1 c", "us-east-1 b"]);
  expect(await org.posture()).toMatchObject([{ missing_count: 1 }]);
});

test.each([
  ["the first page of a listing", { Resources: [], NextToken: "more" }],
  ["a listing of tagged resources", { ResourceTagMappingList: [] }],
  ["a listing of another type", { TypeName: "AWS::SNS::Topic", ResourceDescriptions: [] }],
])("after %s a scan of one region makes nothing missing in another", async (_, listing) => {
  const { org, world, scans, account } = await start();
  setQueues(world, "eu-west-1", ["a"]);
  setQueues(world, "us-east-1", ["b"]);
  await org.pushState(await org.source("all"), queueState(["eu-west-1", "gone"], ["us-east-1", "b"]));
  await org.pushListing(account, ndjson([listing]));
  await scans.run({ account_id: account.id, regions: ["eu-west-1"] });
  expect((await org.declared()).map(({ match }) => match.status).toSorted()).toEqual([
    "missing",
    "unobserved",
  ]);
  await scans.run({ account_id: account.id });
  expect((await org.declared()).map(({ match }) => match.status).toSorted()).toEqual(["matched", "missing"]);
});

test("an untagged declared resource of a type without an index isn't missing", async () => {
  const { org, scans, account } = await start();
  const arn = `arn:aws:kms:eu-west-1:${ACCOUNT}:alias/shop`;
  const alias = {
    type: "aws_kms_alias",
    name: "shop",
    attributes: { id: "alias/shop", arn, name: "alias/shop" },
  };
  await org.pushState(await org.source("keys"), tfstate([alias]));
  await org.pushState(await org.source("queues"), queueState(["eu-west-1", "gone"]));
  await scans.run({ account_id: account.id });
  const fates = (await org.declared()).map(({ address, match }) => [address, match.status]);
  expect(Object.fromEntries(fates)).toEqual({
    "aws_kms_alias.shop": "unobserved",
    "aws_sqs_queue.gone": "missing",
  });
});

test("an account that looks empty keeps its resources until a second scan", async () => {
  const { world, scans, account, names } = await start();
  setQueues(world, "eu-west-1", ["a"]);
  await scans.run({ account_id: account.id });
  setQueues(world, "eu-west-1", []);
  const scan_id = Bun.randomUUIDv7("hex", Date.now() + 3_600_000); // from a process whose clock runs ahead
  const scan = await scans.run({ account_id: account.id, scan_id });
  expect(scan).toMatchObject({ status: "partial", stats: { seen: 0 }, errors: [{ code: "empty_listing" }] });
  expect(await names()).toEqual(["eu-west-1 a"]);
  expect(await scans.run({ account_id: account.id })).toMatchObject({
    status: "succeeded",
    stats: { gone: 1 },
  });
  expect(await names()).toEqual([]);
});
