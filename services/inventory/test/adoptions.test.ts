import { beforeAll, describe, expect, test } from "bun:test";
import { CreateAdoption } from "@leeway/shared/contracts/inventory/adoptions";
import { failureOf } from "@leeway/shared/testing/testing";

import { arn, declaredQueue, declaring, ONE, queue, type Org } from "./declaring.ts";
import { ndjson, tfstate } from "./kit.ts";

const CANARY = "canary-8f2c";
const { call, start } = declaring();

const subnet = {
  provider_resource_id: `arn:aws:ec2:eu-west-1:${ONE}:subnet/subnet-0a1b2c3d4e5f60718`,
  provider_type: "AWS::EC2::Subnet",
  region: "eu-west-1",
  tags: { Name: "private" },
  properties: { VpcId: "vpc-0a1b2c3d4e5f60718", CidrBlock: "10.0.0.0/24" },
};
const dead = { ...queue("dead"), region: "eu-west-1", properties: { QueueName: "dead", DelaySeconds: 5 } };
const orders = {
  ...queue("orders"),
  region: "eu-west-1",
  properties: {
    QueueName: "orders",
    VisibilityTimeout: 60,
    RedrivePolicy: { deadLetterTargetArn: arn("dead"), maxReceiveCount: 4 },
  },
  tags: { "api-key": CANARY },
};
const stacked = {
  ...queue("stacked"),
  properties: { QueueName: "stacked" },
  tags: { "aws:cloudformation:stack-name": "shop" },
};
const vpc = {
  type: "aws_vpc",
  name: "main",
  attributes: {
    id: "vpc-0a1b2c3d4e5f60718",
    arn: `arn:aws:ec2:eu-west-1:${ONE}:vpc/vpc-0a1b2c3d4e5f60718`,
  },
};

describe("an adoption", () => {
  let org: Org;
  let source: string;
  const ids = new Map<string, string>();
  const idOf = (name: string): string => ids.get(arn(name)) ?? ids.get(name) ?? "";
  const adopt = (more: object) => call(CreateAdoption, { org_id: org.id, ...more });

  beforeAll(async () => {
    const started = await start();
    org = started.org;
    const state = await org.source("jobs");
    source = state.id;
    await org.pushState(state, tfstate([declaredQueue("known"), vpc]));
    await org.pushListing(
      started.one,
      ndjson([subnet, dead, orders, stacked, queue("known"), queue("bare")]),
    );
    for (const row of await org.resources({})) ids.set(row.provider_resource_id, row.id);
  });

  test("turns undeclared resources into import blocks and resources that refer to each other", async () => {
    const { files, resources, counts } = await adopt({
      resource_ids: [idOf("orders"), ids.get(subnet.provider_resource_id)],
    });
    expect(counts).toEqual({ complete: 2, partial: 0, refused: 0 });
    expect(files.map(({ path }) => path)).toEqual(["adopted.tf", "variables.tf"]);
    expect(files[0]?.content).toContain(
      `import {\n  to = aws_sqs_queue.orders\n  id = "https://sqs.eu-west-1.amazonaws.com/${ONE}/orders"\n}\n`,
    );
    expect(files[0]?.content).toContain("  vpc_id = aws_vpc.main.id\n");
    expect(files[0]?.content).toContain("visibility_timeout_seconds = 60\n");
    expect(resources.find(({ address }) => address === "aws_subnet.private")?.references).toEqual([
      { attribute: "vpc_id", address: "aws_vpc.main" },
    ]);
    expect(JSON.stringify(files)).not.toContain(CANARY);
    expect(files[1]?.content).toContain("  sensitive   = true\n");
  });

  test("of a filter covers the undeclared resources that it selects", async () => {
    const { resources } = await adopt({
      filter: { provider_type: "AWS::SQS::Queue", q: "d" },
      source_id: source,
    });
    expect(resources.map(({ resource_id }) => resource_id).toSorted()).toEqual(
      [idOf("dead"), idOf("orders")].toSorted(),
    );
  });

  test("refuses what is declared, what a stack owns, and what a listing only names", async () => {
    const { resources, files } = await adopt({
      resource_ids: [idOf("known"), idOf("stacked"), idOf("bare")],
    });
    expect(files).toEqual([]);
    expect(Object.fromEntries(resources.map(({ resource_id, reason }) => [resource_id, reason]))).toEqual({
      [idOf("known")]: "already declared as aws_sqs_queue.known",
      [idOf("stacked")]: "Created and declared by a CloudFormation stack.",
      [idOf("bare")]: "the listing shows no attributes of it",
    });
  });

  test("of resources or a source that don't exist is an error", async () => {
    const nowhere = "018f4e3c-0000-7000-8000-000000000000";
    const failures = await Promise.all([
      failureOf(adopt({ resource_ids: [idOf("orders"), nowhere] })),
      failureOf(adopt({ resource_ids: [idOf("orders")], source_id: nowhere })),
      failureOf(adopt({})),
    ]);
    expect(failures).toMatchObject([
      { code: "not_found" },
      { code: "not_found" },
      { code: "invalid_parameter" },
    ]);
  });
});
