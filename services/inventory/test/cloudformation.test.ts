import { afterAll, beforeAll, expect, test } from "bun:test";

import { newOrg, startInventory, type TestInventory } from "./kit.ts";

let inventory: TestInventory;
beforeAll(async () => {
  inventory = await startInventory();
});
afterAll(() => inventory.stop());

const ACCOUNT = "111122223333";
const arn = (service: string, resource: string) => `arn:aws:${service}:eu-west-1:${ACCOUNT}:${resource}`;
const SHOP = arn("cloudformation", "stack/shop/6ddbde98-729e-4585-a433-908d74d54c84");
const NESTED = arn("cloudformation", "stack/shop-Jobs-1ABCDEF/71db05d5-be90-478e-ae63-26e70171dc18");
const QUEUE = arn("sqs", "shop-Orders");

/** What Resource Explorer lists of these ARNs. */
const listing = (...arns: string[]) => ({
  Resources: arns.map((Arn) => ({
    Arn,
    ResourceType: Arn === QUEUE ? "sqs:queue" : "cloudformation:stack",
    OwningAccountId: ACCOUNT,
    Region: "eu-west-1",
  })),
});

/** What `describe-stack-resources` prints of a stack. */
const stack = (StackId: string, resources: Record<string, [type: string, id: string]>) => ({
  StackResources: Object.entries(resources).map(
    ([LogicalResourceId, [ResourceType, PhysicalResourceId]]) => ({
      StackName: StackId.split("/")[1],
      StackId,
      LogicalResourceId,
      PhysicalResourceId,
      ResourceType,
      ResourceStatus: "CREATE_COMPLETE",
    }),
  ),
});
const orders: [string, string] = [
  "AWS::SQS::Queue",
  `https://sqs.eu-west-1.amazonaws.com/${ACCOUNT}/shop-Orders`,
];
const nested: [string, string] = ["AWS::CloudFormation::Stack", NESTED];

async function start() {
  const org = newOrg(inventory);
  const account = await org.account("aws", ACCOUNT);
  const matched = async () =>
    (await org.resources({ match: "matched" })).map((row) => row.provider_resource_id).toSorted();
  return { org, account, matched };
}

test.each(["CREATE_FAILED", "DELETE_SKIPPED", "DELETE_COMPLETE"])(
  "a resource that is %s isn't its stack's",
  async (ResourceStatus) => {
    const { org, account, matched } = await start();
    await org.pushListing(account, listing(QUEUE));
    const { StackResources } = stack(SHOP, { Orders: orders });
    const state = { StackResources: StackResources.map((row) => ({ ...row, ResourceStatus })) };
    await org.pushState(await org.source("shop"), state);
    expect(await matched()).toEqual([]);
    expect(await org.posture()).toMatchObject([{ undeclared_count: 1 }]);
  },
);

test("a stack is declared with its resources, and isn't one of them", async () => {
  const { org, account, matched } = await start();
  await org.pushListing(account, listing(SHOP, QUEUE));
  const pushed = await org.pushState(await org.source("shop"), stack(SHOP, { Orders: orders }));
  expect(pushed).toMatchObject({ resource_count: 1, matched_count: 1, missing_count: 0 });
  expect(await matched()).toEqual([SHOP, QUEUE]);
  expect(await org.posture()).toMatchObject([{ undeclared_count: 0, coverage_pct: 100 }]);
});

test("a nested stack is its parent's, also when its own resources are pushed", async () => {
  const { org, account, matched } = await start();
  await org.pushListing(account, listing(SHOP, NESTED, QUEUE));
  await org.pushState(await org.source("jobs"), stack(NESTED, { Orders: orders }));
  expect(await matched()).toEqual([NESTED, QUEUE]);
  await org.pushState(await org.source("shop"), stack(SHOP, { Jobs: nested }));
  expect(await matched()).toEqual([NESTED, SHOP, QUEUE]);
  const [live] = await org.resources({ q: "shop-Jobs" });
  expect(live!.match).not.toContainKey("conflict");
  const parts = await org.declared({ match: "matched" });
  expect(parts.find(({ id }) => id === live!.iac_resource_id)).toMatchObject({ address: "shop.Jobs" });
});

test("what a stack names by a part of its ARN alone is matched by the tags of the stack, and not missing", async () => {
  const { org, account, matched } = await start();
  const stage = "arn:aws:apigateway:eu-west-1::/restapis/a1b2c3/stages/prod";
  const tags = [
    { Key: "aws:cloudformation:stack-id", Value: SHOP },
    { Key: "aws:cloudformation:logical-id", Value: "Stage" },
  ];
  const row = {
    Arn: stage,
    ResourceType: "apigateway:restapis/stages",
    OwningAccountId: ACCOUNT,
    Region: "eu-west-1",
    Properties: [{ Name: "tags", Data: tags }],
  };
  await org.pushListing(account, { Resources: [row] });
  await org.pushState(
    await org.source("shop", account.id),
    stack(SHOP, { Stage: ["AWS::ApiGateway::Stage", "prod"] }),
  );
  expect(await matched()).toEqual([stage]);
  expect(await org.posture()).toMatchObject([{ matched_count: 1, missing_count: 0 }]);
});
