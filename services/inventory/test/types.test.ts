import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { GetResource } from "@leeway/shared/contracts/inventory/resources";
import { ListTypes, type ResourceType } from "@leeway/shared/contracts/inventory/types";
import { failureOf } from "@leeway/shared/testing/testing";

import { ndjson, newOrg, startInventory, tfstate, type TestInventory } from "./kit.ts";

const ACCOUNT = "123456789012";
const arn = (name: string) => `arn:aws:sqs:eu-west-1:${ACCOUNT}:${name}`;
const queue = (name: string) => ({
  provider_resource_id: arn(name),
  provider_type: "AWS::SQS::Queue",
  region: "eu-west-1",
  name,
});

let inventory: TestInventory;
let org: ReturnType<typeof newOrg>;
beforeAll(async () => {
  inventory = await startInventory();
  org = newOrg(inventory);
  const account = await org.account("aws", ACCOUNT);
  const declared = [
    { type: "aws_sqs_queue", name: "orders", attributes: { arn: arn("orders") } },
    { type: "aws_elb", name: "front", attributes: { name: "front" } },
    { type: "aws_unheard_of", name: "it", attributes: { id: "it" } },
  ];
  await org.pushState(await org.source("jobs"), tfstate(declared));
  const engine = { provider_resource_id: "engine-1", provider_type: "AWS::Made::Engine" };
  await org.pushListing(account, ndjson([queue("orders"), queue("returns"), engine]));
});
afterAll(() => inventory.stop());

const page = (more: { limit: number; cursor?: string }) =>
  inventory.call(ListTypes, { org_id: org.id, ...more });

test("each type that is declared or live is listed with its counts", async () => {
  const { data } = await page({ limit: 500 });
  const counts = data.map(({ type, declared_count, live_count, undeclared_count }) => [
    type,
    declared_count,
    live_count,
    undeclared_count,
  ]);
  expect(counts).toEqual([
    ["AWS::Made::Engine", 0, 1, 1],
    ["aws_elb", 1, 0, 0],
    ["aws_sqs_queue", 1, 2, 1],
    ["aws_unheard_of", 1, 0, 0],
  ]);
});

test("a type shows how many of its settable attributes are compared, if its schema is known", async () => {
  const { data } = await page({ limit: 500 });
  const [engine, , queues, unknown] = data;
  const { settable_count = 0, compared_count = 0, compared_pct } = queues ?? {};
  expect(compared_count).toBeGreaterThan(10);
  expect(compared_count).toBeLessThanOrEqual(settable_count);
  expect(compared_pct).toBe(Math.floor((1000 * compared_count) / settable_count) / 10);
  expect([engine, unknown].map((row) => row?.settable_count)).toEqual([undefined, undefined]);
});

describe("a page of types", () => {
  test("continues after the last one", async () => {
    const types: ResourceType[] = [];
    let cursor: string | undefined;
    do {
      const answer = await page({ limit: 1, ...(cursor !== undefined && { cursor }) });
      types.push(...answer.data);
      cursor = answer.next_cursor;
    } while (cursor !== undefined);
    expect(types).toEqual((await page({ limit: 500 })).data);
  });

  test("rejects a cursor that isn't its own", async () => {
    expect(await failureOf(page({ limit: 1, cursor: "1.abc.def" }))).toMatchObject({
      code: "invalid_cursor",
    });
  });

  test("shows no types of another organization", async () => {
    const other = newOrg(inventory);
    expect((await inventory.call(ListTypes, { org_id: other.id, limit: 500 })).data).toEqual([]);
  });
});

test("a declared resource lists the attributes that aren't compared, an undeclared one doesn't", async () => {
  const [declared, undeclared] = await Promise.all(
    ["orders", "returns"].map((name) =>
      inventory.call(GetResource, { org_id: org.id, resource_id: arn(name) }),
    ),
  );
  const { settable = 0, compared = 0, not_compared = [] } = declared?.comparison ?? {};
  expect(not_compared).toContainEqual({ attribute: "timeouts", reason: "provider_only" });
  expect(not_compared.reduce((sum, { count = 1 }) => sum + count, compared)).toBe(settable);
  expect(undeclared?.comparison).toBeUndefined();
});
