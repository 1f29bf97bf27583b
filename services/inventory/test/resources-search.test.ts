import { afterAll, beforeAll, expect, test } from "bun:test";

import { ListResources } from "@leeway/shared/contracts/inventory/resources";

import { ndjson, newOrg, startInventory, tfstate, type TestInventory } from "./kit.ts";

const ACCOUNT = "111111111111";
const arn = (name: string) => `arn:aws:sqs:eu-west-1:${ACCOUNT}:${name}`;
const live = (name: string, tags?: Record<string, string>) => ({
  provider_resource_id: arn(name),
  provider_type: "AWS::SQS::Queue",
  name,
  ...(tags && { tags }),
});

let inventory: TestInventory;
beforeAll(async () => {
  inventory = await startInventory();
});
afterAll(() => inventory.stop());

test("resources are found by name, id, tag and declared address", async () => {
  const org = newOrg(inventory);
  const account = await org.account("aws", ACCOUNT);
  const attributes = { id: arn("orders"), arn: arn("orders"), name: "orders" };
  const declared = { type: "aws_sqs_queue", name: "incoming", module: "module.shop", attributes };
  await org.pushState(await org.source("main", account.id), tfstate([declared]));
  const tagged = { Team: "data", note: 'a "quoted" one' };
  await org.pushListing(account, ndjson([live("orders"), live("reports", tagged), live("other")]));
  const found = async (q: string) => {
    const { data } = await inventory.call(ListResources, { org_id: org.id, limit: 10, q });
    return data.map(({ name }) => name);
  };
  expect(await found("ORDERS")).toEqual(["orders"]);
  expect(await found("111111:other")).toEqual(["other"]);
  expect(await found("team=data")).toEqual(["reports"]);
  expect(await found('"quoted"')).toEqual(["reports"]);
  expect(await found("module.shop.aws_sqs_queue.incoming")).toEqual(["orders"]);
  expect(await found("team=dat4")).toEqual([]);
});
