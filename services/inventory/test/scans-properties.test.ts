import { expect, test } from "bun:test";

import { DeleteAccount } from "@leeway/shared/contracts/inventory/accounts";
import { ListDriftChanges } from "@leeway/shared/contracts/inventory/drift";
import { EnrichResource, GetResource } from "@leeway/shared/contracts/inventory/resources";
import { text, type JsonObject } from "@leeway/shared/values/json";

import { handlerDenial } from "@leeway/connectors/aws/account.fixture";
import type { Answer } from "@leeway/connectors/aws/aws.fixture";
import { declaredLive, keepRead } from "../src/scans/pull/store/declared-live.ts";
import { arn } from "./aws-cloud.ts";
import { tfstate } from "./kit.ts";
import { scanning } from "./scanning.ts";

const READ = "cloudformation:GetResource";
const REGION = "eu-west-1";
const QUEUES = ["a", "b", "c", "d", "e"];
const MANY = Array.from({ length: 400 }, (_, at) => `q${at}`);

const cloud = scanning();

const queue = (name: string) => ({
  type: "aws_sqs_queue",
  name,
  attributes: {
    id: arn(REGION, name),
    arn: arn(REGION, name),
    visibility_timeout_seconds: 30,
    delay_seconds: 0,
  },
});
const read = (name: string, more: JsonObject = {}): Answer => ({
  body: {
    ResourceDescription: {
      Identifier: name,
      Properties: JSON.stringify({ QueueName: name, VisibilityTimeout: 30, DelaySeconds: 0, ...more }),
    },
  },
});

/**
 * Creates an account whose queues are live and declared. Resource Explorer lists them without properties.
 * `answers.of` answers the requests for one queue's properties.
 */
async function connected({ declared = QUEUES, live = QUEUES } = {}) {
  const { org, world, scans, account } = await cloud.start();
  const source = await org.source("queues", account.id);
  await org.pushState(source, tfstate(declared.map(queue)));
  world.queues.set(REGION, live);
  const answers = { of: (name: string): Answer | Promise<Answer> => read(name) };
  world.interfere = ({ action, input }) =>
    action === READ ? answers.of((text(input, "Identifier") ?? "").split("/").at(-1) ?? "") : undefined;
  return {
    world,
    org,
    source,
    account,
    scans,
    answers,
    scan: () => scans.run({ account_id: account.id }),
    asked: () => world.calls.filter(({ action }) => action === READ).length,
    changes: async () => (await cloud.inventory.call(ListDriftChanges, { org_id: org.id, limit: 100 })).data,
    propertiesOf: async (name: string) => {
      const one = { org_id: org.id, resource_id: arn(REGION, name) };
      return (await cloud.inventory.call(GetResource, one)).properties;
    },
  };
}

test("a scan reports manual changes even if its listing has no properties", async () => {
  const { answers, scan, changes, org } = await connected();
  answers.of = (name) => read(name, name === "b" ? { VisibilityTimeout: 5 } : {});
  expect(await scan()).toMatchObject({ status: "succeeded", errors: [] });
  expect(await changes()).toMatchObject([
    {
      kind: "changed",
      address: "aws_sqs_queue.b",
      attribute_changes: [{ path: ["visibility_timeout_seconds"], before: 30, after: 5 }],
    },
  ]);
  const rows = await org.resources();
  expect(new Set(rows.map(({ enrichment_status }) => enrichment_status))).toEqual(new Set(["none"]));
  answers.of = (name) => read(name);
  await scan();
  expect(await changes()).toEqual([]);
});

test("undeclared resources aren't read", async () => {
  const { scan, asked } = await connected({ declared: ["a"] });
  await scan();
  expect(asked()).toBe(1);
});

test("secrets in read properties are masked", async () => {
  const { answers, scan, propertiesOf } = await connected();
  answers.of = (name) => read(name, { Password: "hunter2-canary" });
  await scan();
  const properties = await propertiesOf("a");
  expect(properties).toMatchObject({ QueueName: "a", VisibilityTimeout: 30 });
  expect(JSON.stringify(properties)).not.toContain("canary");
});

test("a denied read names the missing permission and keeps the known properties", async () => {
  const { answers, scan, asked, propertiesOf } = await connected();
  await scan();
  const before = asked();
  answers.of = () => handlerDenial("AWS::SQS::Queue", "sqs:GetQueueAttributes");
  const partial = await scan();
  expect(partial).toMatchObject({
    status: "partial",
    stats: { matched: QUEUES.length },
    errors: [
      {
        service: "AWS::SQS::Queue",
        region: REGION,
        code: "permission_denied",
        message: expect.stringContaining("sqs:GetQueueAttributes"),
        count: QUEUES.length,
      },
    ],
  });
  expect(asked() - before).toBeLessThanOrEqual(QUEUES.length);
  expect(await propertiesOf("a")).toMatchObject({ VisibilityTimeout: 30 });
});

test.each<[string, Answer]>([
  ["was deleted during the scan", { status: 400, code: "ResourceNotFoundException" }],
  ["has a type that can't be read", { status: 400, code: "UnsupportedActionException" }],
])("a resource that %s doesn't fail the scan", async (_, answer) => {
  const { answers, scan } = await connected();
  answers.of = () => answer;
  expect(await scan()).toMatchObject({ status: "succeeded", errors: [], stats: { matched: QUEUES.length } });
});

test("an enriched resource is read again and stays enriched", async () => {
  const { answers, scan, org, changes } = await connected();
  await scan();
  const one = { org_id: org.id, resource_id: arn(REGION, "a") };
  const { enriched_at } = await cloud.inventory.call(EnrichResource, one);
  answers.of = (name) => read(name, { DelaySeconds: 9 });
  await scan();
  const now = await cloud.inventory.call(GetResource, one);
  expect(now).toMatchObject({ enrichment_status: "enriched", properties: { DelaySeconds: 9 } });
  expect(Date.parse(now.enriched_at ?? "")).toBeGreaterThan(Date.parse(enriched_at ?? ""));
  expect(await changes()).toHaveLength(QUEUES.length);
});

test("new values in a listing override read ones, and the rest is kept", async () => {
  const { world, answers, scan, propertiesOf } = await connected();
  await scan();
  world.tagged.add("a");
  answers.of = () => ({ status: 400, code: "GeneralServiceException" });
  await scan();
  expect(await propertiesOf("a")).toMatchObject({ VisibilityTimeout: 30 });
});

test("properties are compared after the read even if a new state computed drift without them", async () => {
  const { answers, org, source, account, scans, changes } = await connected();
  const { promise: isPushed, resolve: pushed } = Promise.withResolvers<void>();
  answers.of = async (name) => {
    await isPushed;
    return read(name, { VisibilityTimeout: 5 });
  };
  const { id } = await scans.start({ account_id: account.id });
  await scans.until(id, ({ phase }) => phase === "drift");
  await org.pushState(source, tfstate([...QUEUES, "f"].map(queue), { serial: 2 }));
  const [first] = await cloud.inventory.test.admin`
    select id from inventory.drift_snapshots where org_id = ${org.id} and scan_id = ${id}
  `;
  const isReady = cloud.inventory.test.admin;
  while (
    (await isReady`select from inventory.drift_snapshots where id = ${first?.["id"]} and status = 'ready'`)
      .length === 0
  )
    await Bun.sleep(20);
  pushed();
  await scans.until(id, ({ finished_at }) => finished_at !== undefined);
  while ((await changes()).filter(({ kind }) => kind === "changed").length < QUEUES.length)
    await Bun.sleep(20);
});

test("reading ends when the account is deleted", async () => {
  const { answers, account, org, scans, asked } = await connected({ declared: MANY, live: MANY });
  answers.of = async (name) => {
    await Bun.sleep(200);
    return read(name);
  };
  const { id } = await scans.start({ account_id: account.id });
  await scans.until(id, ({ phase }) => phase === "drift");
  await cloud.inventory.call(DeleteAccount, { org_id: org.id, account_id: account.id });
  await Bun.sleep(3_000);
  const before = asked();
  await Bun.sleep(1_000);
  expect(asked()).toBe(before);
  expect(before).toBeLessThan(MANY.length);
});

test("the oldest properties are read first, and never those of a recreated resource", async () => {
  const { org, account, scan, propertiesOf } = await connected();
  await scan();
  const { admin } = cloud.inventory.test;
  await admin`update inventory.live_resources set read_at = null where org_id = ${org.id} and name = 'd'`;
  await admin`
    update inventory.live_resources set read_at = now() - interval '1 day' where org_id = ${org.id} and name = 'b'
  `;
  const query = { orgId: org.id, accountId: account.id, atMost: 2 };
  const [first, second] = await declaredLive(cloud.inventory.database, query);
  expect([first?.providerId, second?.providerId]).toEqual([arn(REGION, "d"), arn(REGION, "b")]);
  await admin`
    update inventory.live_resources set cloud_created_at = '2026-11-01T00:00:00Z' where org_id = ${org.id} and name = 'b'
  `;
  const properties = { value: { VisibilityTimeout: 1 }, redactions: [] };
  const read = [first, second].flatMap((resource) => (resource ? [{ resource, properties }] : []));
  await keepRead(cloud.inventory.database.org(org.id), read);
  expect(await propertiesOf("d")).toEqual({ VisibilityTimeout: 1 });
  expect(await propertiesOf("b")).toMatchObject({ VisibilityTimeout: 30 });
});
