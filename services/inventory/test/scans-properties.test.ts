import { afterAll, beforeAll, expect, test } from "bun:test";

import { ListDriftChanges } from "@leeway/shared/contracts/inventory/drift";
import { EnrichResource, GetResource } from "@leeway/shared/contracts/inventory/resources";
import { text, type JsonObject } from "@leeway/shared/json";

import { handlerDenial } from "../src/connectors/aws/account.fixture.ts";
import type { Answer } from "../src/connectors/aws/aws.fixture.ts";
import { arn, scansOf, serveWorlds } from "./aws-cloud.ts";
import { newOrg, startInventory, tfstate, type TestInventory } from "./kit.ts";

const READ = "cloudformation:GetResource";
const REGION = "eu-west-1";
const QUEUES = ["a", "b", "c", "d", "e"];

const worlds = serveWorlds();
let inventory: TestInventory;
beforeAll(async () => {
  inventory = await startInventory({ clouds: worlds.clouds });
});
afterAll(async () => {
  await inventory.stop();
  await worlds.stop();
});

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
 * An account in which these queues are live, indexed by Resource Explorer, which tells nothing of them but that, and
 * declared; and how AWS answers who reads one.
 */
async function connected({ declared = QUEUES, live = QUEUES } = {}) {
  const world = worlds.newWorld();
  const org = newOrg(inventory);
  const scans = scansOf(inventory.call, org.id);
  const account = await scans.account(world);
  await org.pushState(await org.source("queues", account.id), tfstate(declared.map(queue)));
  world.queues.set(REGION, live);
  const answers = { of: (name: string): Answer => read(name) };
  world.interfere = ({ action, input }) =>
    action === READ ? answers.of((text(input, "Identifier") ?? "").split("/").at(-1) ?? "") : undefined;
  return {
    world,
    org,
    answers,
    scan: () => scans.run({ account_id: account.id }),
    asked: () => world.calls.filter(({ action }) => action === READ).length,
    changes: async () => (await inventory.call(ListDriftChanges, { org_id: org.id, limit: 100 })).data,
    propertiesOf: async (name: string) => {
      const one = { org_id: org.id, resource_id: arn(REGION, name) };
      return (await inventory.call(GetResource, one)).properties;
    },
  };
}

test("what was changed by hand in a declared resource is told by a scan, though its listing has no properties", async () => {
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

test("what nothing declares isn't read", async () => {
  const { scan, asked } = await connected({ declared: ["a"] });
  await scan();
  expect(asked()).toBe(1);
});

test("secrets in what is read are redacted", async () => {
  const { answers, scan, propertiesOf } = await connected();
  answers.of = (name) => read(name, { Password: "hunter2-canary" });
  await scan();
  const properties = await propertiesOf("a");
  expect(properties).toMatchObject({ QueueName: "a", VisibilityTimeout: 30 });
  expect(JSON.stringify(properties)).not.toContain("canary");
});

test("what may not be read is told with the permission that is missing, and stays as it was known", async () => {
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
  ["has gone meanwhile", { status: 400, code: "ResourceNotFoundException" }],
  ["is of a type that can't be read", { status: 400, code: "UnsupportedActionException" }],
])("that a resource %s fails nothing", async (_, answer) => {
  const { answers, scan } = await connected();
  answers.of = () => answer;
  expect(await scan()).toMatchObject({ status: "succeeded", errors: [], stats: { matched: QUEUES.length } });
});

test("a resource that somebody had enriched is read anew, and stays enriched", async () => {
  const { answers, scan, org, changes } = await connected();
  await scan();
  const one = { org_id: org.id, resource_id: arn(REGION, "a") };
  const { enriched_at } = await inventory.call(EnrichResource, one);
  answers.of = (name) => read(name, { DelaySeconds: 9 });
  await scan();
  const now = await inventory.call(GetResource, one);
  expect(now).toMatchObject({ enrichment_status: "enriched", properties: { DelaySeconds: 9 } });
  expect(Date.parse(now.enriched_at ?? "")).toBeGreaterThan(Date.parse(enriched_at ?? ""));
  expect(await changes()).toHaveLength(QUEUES.length);
});

test("what a listing tells anew goes over what was read before, and leaves the rest", async () => {
  const { world, answers, scan, propertiesOf } = await connected();
  await scan();
  world.tagged.add("a");
  answers.of = () => ({ status: 400, code: "GeneralServiceException" });
  await scan();
  expect(await propertiesOf("a")).toMatchObject({ VisibilityTimeout: 30 });
});
