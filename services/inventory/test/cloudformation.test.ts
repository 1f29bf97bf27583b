import { afterAll, beforeAll, describe, expect, test } from "bun:test";

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

/** Builds Resource Explorer's listing of these ARNs. */
const listing = (...arns: string[]) => ({
  Resources: arns.map((Arn) => ({
    Arn,
    ResourceType: Arn === QUEUE ? "sqs:queue" : "cloudformation:stack",
    OwningAccountId: ACCOUNT,
    Region: "eu-west-1",
  })),
});

/** Builds the output of `describe-stack-resources`. */
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

/** Builds Resource Explorer's listing of these rows. */
const indexed = (...rows: [arn: string, type: string, tags?: object[]][]) => ({
  Resources: rows.map(([Arn, ResourceType, tags]) => ({
    Arn,
    ResourceType,
    OwningAccountId: ACCOUNT,
    Region: "eu-west-1",
    ...(tags && { Properties: [{ Name: "tags", Data: tags }] }),
  })),
});
const stages = (...arns: string[]) =>
  indexed(...arns.map((one): [string, string] => [one, "apigateway:restapis/stages"]));
const tagsOf = (stackId: string, logicalId: string) => [
  { Key: "aws:cloudformation:stack-id", Value: stackId },
  { Key: "aws:cloudformation:logical-id", Value: logicalId },
];

/** Builds the output of `list-stack-resources`, which doesn't name the stack. */
const listed = (resources: Parameters<typeof stack>[1]) => ({
  StackResourceSummaries: stack(SHOP, resources).StackResources.map(
    ({ StackId: _id, StackName: _name, ...row }) => row,
  ),
});
const stage: [string, string] = ["AWS::ApiGateway::Stage", "prod"];
const fateOf = async (org: ReturnType<typeof newOrg>) =>
  Object.fromEntries((await org.declared()).map(({ address, match }) => [address, match.status]));

async function start() {
  const org = newOrg(inventory);
  const account = await org.account("aws", ACCOUNT);
  const matched = async () =>
    (await org.resources({ match: "matched" })).map((row) => row.provider_resource_id).toSorted();
  return { org, account, matched };
}

test.each(["CREATE_FAILED", "DELETE_SKIPPED", "DELETE_COMPLETE"])(
  "a resource with status %s doesn't belong to its stack",
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

test("a stack is declared by its resources, and isn't one of them", async () => {
  const { org, account, matched } = await start();
  await org.pushListing(account, listing(SHOP, QUEUE));
  const pushed = await org.pushState(await org.source("shop"), stack(SHOP, { Orders: orders }));
  expect(pushed).toMatchObject({ resource_count: 1, matched_count: 1, missing_count: 0 });
  expect(await matched()).toEqual([SHOP, QUEUE]);
  expect(await org.posture()).toMatchObject([{ undeclared_count: 0, coverage_pct: 100 }]);
});

test("a nested stack belongs to its parent, even when its own resources are pushed", async () => {
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

test("a resource that a stack knows by part of its ARN is matched by the stack's tags", async () => {
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

describe("a resource that a stack knows by part of its id or by a name outside its ARN", () => {
  const STAGE = "arn:aws:apigateway:eu-west-1::/restapis/a1b2c3/stages/prod";
  const OTHER_STAGE = "arn:aws:apigateway:eu-west-1::/restapis/d4e5f6/stages/prod";
  const SCHEDULE = arn("scheduler", "schedule/nightly/clean-up");
  const RULE = arn("config", "config-rule/config-rule-0a1b2c");
  test.each<[string, string, object, [string, string], string]>([
    ["a stage", STAGE, stages(STAGE), stage, "the name of which is in its ARN"],
    [
      "a schedule",
      SCHEDULE,
      indexed([SCHEDULE, "scheduler:schedule"]),
      ["AWS::Scheduler::Schedule", "clean-up"],
      "which is of a group",
    ],
    [
      "an AWS Config rule",
      RULE,
      {
        configurationItems: [
          {
            resourceType: "AWS::Config::ConfigRule",
            resourceId: "config-rule-0a1b2c",
            resourceName: "tagged",
            arn: RULE,
          },
        ],
      },
      ["AWS::Config::ConfigRule", "tagged"],
      "the name of which is listed",
    ],
  ])("is matched: %s (%#)", async (_, id, listing, declared) => {
    const { org, account, matched } = await start();
    await org.pushListing(account, listing);
    await org.pushState(await org.source("shop", account.id), listed({ One: declared }));
    expect(await matched()).toEqual([id]);
  });

  test("isn't guessed if several have the name, and isn't missing", async () => {
    const { org, account, matched } = await start();
    await org.pushListing(account, stages(STAGE, OTHER_STAGE));
    await org.pushState(await org.source("shop", account.id), listed({ Stage: stage, Orders: orders }));
    expect(await matched()).toEqual([]);
    expect(await fateOf(org)).toEqual({ Stage: "unobserved", Orders: "unobserved" });
  });

  test("isn't missing if the listing has no names, while an absent queue is", async () => {
    const { org, account } = await start();
    await org.pushListing(account, indexed([RULE, "config:config-rule"], [arn("sqs", "other"), "sqs:queue"]));
    const rule: [string, string] = ["AWS::Config::ConfigRule", "tagged"];
    await org.pushState(await org.source("shop", account.id), listed({ Rule: rule, Orders: orders }));
    expect(await fateOf(org)).toEqual({ Rule: "unobserved", Orders: "missing" });
  });

  test("isn't a resource tagged with another stack", async () => {
    const { org, account, matched } = await start();
    await org.pushListing(account, indexed([STAGE, "apigateway:restapis/stages", tagsOf(NESTED, "Stage")]));
    await org.pushState(await org.source("shop", account.id), stack(SHOP, { Stage: stage }));
    expect(await matched()).toEqual([]);
    expect(await fateOf(org)).toEqual({ "shop.Stage": "unobserved" });
    await org.pushState(await org.source("jobs", account.id), stack(NESTED, { Stage: stage }));
    expect(await matched()).toEqual([STAGE]);
  });
});
