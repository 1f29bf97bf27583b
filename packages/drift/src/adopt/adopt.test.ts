import { describe, expect, test } from "bun:test";

import { azure } from "@leeway/clouds/azure/azure";
import { gcp } from "@leeway/clouds/gcp/gcp";
import { REDACTED } from "@leeway/shared/values/redacted";

import { adopt } from "./adopt.ts";
import { ACCOUNT, live } from "./adopt.fixture.ts";

const QUEUE = "AWS::SQS::Queue";
const role = (name: string, more: object = {}) =>
  live("AWS::IAM::Role", `iam:role/${name}`, {
    RoleName: name,
    AssumeRolePolicyDocument: { Version: "2012-10-17", Statement: [] },
    ...more,
  });
const codeOf = (...args: Parameters<typeof adopt>): string =>
  adopt(...args)
    .files.map(({ content }) => content)
    .join("\n");

describe("adopted code", () => {
  test("has an import block and the arguments that differ from the provider's defaults", () => {
    const queue = live(QUEUE, "sqs:orders", {
      QueueName: "orders",
      VisibilityTimeout: 30,
      DelaySeconds: 5,
      ContentBasedDeduplication: false,
    });
    expect(codeOf([queue]))
      .toBe(`# Adopted from aws:${ACCOUNT}, region eu-west-1. Configure the provider for the same.
# Needs Terraform 1.5 or newer. Before you apply, \`terraform plan\` must show imports and no other changes.

import {
  to = aws_sqs_queue.orders
  id = "https://sqs.eu-west-1.amazonaws.com/${ACCOUNT}/orders"
}

resource "aws_sqs_queue" "orders" {
  delay_seconds = 5
  name          = "orders"
}
`);
  });

  test("refers to other adopted resources by ARN and id, which come first, and never in a circle", () => {
    const vpc = live("AWS::EC2::VPC", "ec2:vpc/vpc-0a1b2c3d4e5f60718", { CidrBlock: "10.0.0.0/16" });
    const subnet = live("AWS::EC2::Subnet", "ec2:subnet/subnet-0a1b2c3d4e5f60718", {
      VpcId: "vpc-0a1b2c3d4e5f60718",
      CidrBlock: "10.0.0.0/24",
    });
    const groups = ["11111111", "22222222"].map((id, index, ids) =>
      live("AWS::EC2::SecurityGroup", `ec2:security-group/sg-${id}`, {
        GroupName: `group-${index}`,
        GroupDescription: "d",
        SecurityGroupIngress: [
          { IpProtocol: "tcp", FromPort: 1, ToPort: 1, SourceSecurityGroupId: `sg-${ids[1 - index]}` },
        ],
        SecurityGroupEgress: [],
      }),
    );
    const { files, resources } = adopt([subnet, vpc, ...groups]);
    const code = files[0]?.content ?? "";
    expect(code).toContain("  vpc_id     = aws_vpc.vpc_0a1b2c3d4e5f60718.id\n");
    expect(code.indexOf('resource "aws_vpc"')).toBeLessThan(code.indexOf('resource "aws_subnet"'));
    expect(resources[0]?.references).toEqual([
      { attribute: "vpc_id", address: "aws_vpc.vpc_0a1b2c3d4e5f60718" },
    ]);
    expect(code.match(/security_groups = \[aws_security_group\.\w+\.id\]/g)).toHaveLength(1);
  });

  test("refers to the code that it joins, and takes none of its names", () => {
    const key = `arn:aws:kms:eu-west-1:${ACCOUNT}:key/k`;
    const queue = live(QUEUE, "sqs:orders", { QueueName: "orders", KmsMasterKeyId: key });
    const code = codeOf(
      [queue],
      [
        { type: "aws_kms_key", address: "aws_kms_key.main", keys: [`2:${key}`] },
        { type: "aws_sqs_queue", address: "aws_sqs_queue.orders[0]", keys: [] },
        { type: "aws_kms_key", address: "urn:pulumi:dev::shop::aws:kms/key:Key::main", keys: [] },
      ],
    );
    expect(code).toContain("kms_master_key_id = aws_kms_key.main.arn\n");
    expect(code).toContain('resource "aws_sqs_queue" "orders_2" {');
  });

  test("has variables in the place of secrets, in the arguments and in maps", () => {
    const database = live("AWS::RDS::DBInstance", "rds:db:orders", {
      DBInstanceIdentifier: "orders",
      DBInstanceClass: "db.t4g.micro",
      Engine: "postgres",
      MasterUserPassword: REDACTED,
    });
    const lambda = live("AWS::Lambda::Function", "lambda:function:mail", {
      FunctionName: "mail",
      Role: "arn:aws:iam::1:role/mail",
      Code: { ImageUri: "1.dkr.ecr.eu-west-1.amazonaws.com/mail:1" },
      Environment: { Variables: { STAGE: "prod", API_KEY: REDACTED } },
    });
    const { files, resources } = adopt([database, lambda]);
    expect(files[0]?.content).toContain(
      '    variables = {\n      STAGE   = "prod"\n      API_KEY = var.mail_environment_variables_api_key\n    }\n',
    );
    expect(files[1]?.content).toContain('variable "mail_environment_variables_api_key" {');
    expect(JSON.stringify(files)).not.toContain(REDACTED);
    expect(resources[1]?.omitted).toContainEqual({
      attribute: "environment.variables.API_KEY",
      reason: "a secret: set var.mail_environment_variables_api_key",
    });
  });

  test("is partial, with a comment, if the listing lacks a required argument", () => {
    const alarm = live("AWS::CloudWatch::Alarm", "cloudwatch:alarm:cpu", {
      AlarmName: "cpu",
      ComparisonOperator: "GreaterThanThreshold",
    });
    const { files, resources, counts } = adopt([alarm]);
    expect(counts).toEqual({ complete: 0, partial: 1, refused: 0 });
    expect(resources[0]?.reason).toBe("the listing doesn't show evaluation_periods");
    expect(files[0]?.content).toContain(
      "# TODO: set evaluation_periods, which the listing doesn't show.\nresource",
    );
  });

  test("has policies as expressions, and one folder for each account and region", () => {
    const roles = [role("a"), { ...role("a"), account: "210987654321" }];
    const { files } = adopt([...roles, live(QUEUE, "sqs:q", { QueueName: "q" }, { region: "../up" })]);
    expect(files.map(({ path }) => path)).toEqual([
      "aws-123456789012/___up/adopted.tf",
      "aws-123456789012/eu-west-1/adopted.tf",
      "aws-210987654321/eu-west-1/adopted.tf",
    ]);
    expect(files[1]?.content).toContain("  assume_role_policy = jsonencode({\n");
  });

  test("names Azure's and Google's resources by their ids", () => {
    const group = "/subscriptions/11111111-1111-1111-1111-111111111111/resourcegroups/shop";
    const key = `${group}/providers/microsoft.network/publicipaddresses/web`;
    const azureIp = {
      ...live("Microsoft.Network/publicIPAddresses", "x:y", {
        location: "West Europe",
        sku: { name: "Standard" },
        properties: { publicIPAllocationMethod: "Static" },
      }),
      cloud: azure,
      providerResourceId: key,
    };
    const topic = {
      ...live("pubsub.googleapis.com/Topic", "x:z", { name: "projects/shop/topics/orders" }),
      cloud: gcp,
      account: "shop",
      providerResourceId: "//pubsub.googleapis.com/projects/shop/topics/orders",
    };
    const code = codeOf([azureIp, topic]);
    expect(code).toContain(
      'id = "/subscriptions/11111111-1111-1111-1111-111111111111/resourceGroups/shop/providers/Microsoft.Network/publicIPAddresses/web"',
    );
    expect(code).toContain('  allocation_method   = "Static"\n  location            = "westeurope"\n');
    expect(code).toContain('id = "projects/shop/topics/orders"');
    expect(code).toContain('  name    = "orders"\n  project = "shop"\n');
  });
});

test.each([
  [
    "a resource of someone else",
    live(QUEUE, "sqs:q", {}, { taken: "Created by Karpenter." }),
    "Created by Karpenter.",
  ],
  ["a resource without attributes", live(QUEUE, "sqs:q", undefined), "the listing shows no attributes of it"],
  ["an unknown type", live("Acme::Rocket", "a:b", {}), "no Terraform type is known for Acme::Rocket"],
  [
    "a type whose import id isn't known",
    live("AWS::WAFv2::WebACL", "wafv2:regional/webacl/a/b", {}),
    "the form of import ids of aws_wafv2_web_acl isn't known with certainty",
  ],
  [
    "a type of which listings show too little",
    live("AWS::ECR::Repository", "ecr:repository/a", {}),
    "aws_ecr_repository isn't offered: listings show only 80 % of its attributes",
  ],
])("%s is refused with the reason", (_, resource, reason) => {
  const { files, resources } = adopt([resource]);
  expect(files).toEqual([]);
  expect(resources).toEqual([
    { resource_id: resource.id, status: "refused", reason, omitted: [], references: [] },
  ]);
});
