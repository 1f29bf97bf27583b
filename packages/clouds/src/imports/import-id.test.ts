import { expect, test } from "bun:test";

import { cloudOfType } from "../clouds.ts";
import { importIdOf } from "./import-id.ts";

const A = "123456789012";
const GROUP = "/subscriptions/1/resourcegroups/shop";

test.each([
  ["aws_vpc", `arn:aws:ec2:eu-west-1:${A}:vpc/vpc-1`, {}, "vpc-1"],
  ["aws_vpc", "vpc-1", {}, "vpc-1"],
  [
    "aws_sqs_queue",
    `https://eu-west-1.queue.amazonaws.com/${A}/orders`,
    { name: "orders" },
    `https://sqs.eu-west-1.amazonaws.com/${A}/orders`,
  ],
  ["aws_sns_topic", `arn:aws:sns:eu-west-1:${A}:orders`, {}, `arn:aws:sns:eu-west-1:${A}:orders`],
  ["aws_iam_role", `arn:aws:iam::${A}:role/ops/deploy`, {}, "deploy"],
  ["aws_ecs_service", `arn:aws:ecs:eu-west-1:${A}:service/shop/web`, {}, "shop/web"],
  ["aws_cloudwatch_log_group", `arn:aws:logs:eu-west-1:${A}:log-group:/aws/shop:*`, {}, "/aws/shop"],
  [
    "azurerm_virtual_network",
    `${GROUP}/providers/microsoft.network/virtualnetworks/main`,
    {},
    "/subscriptions/1/resourceGroups/shop/providers/Microsoft.Network/virtualNetworks/main",
  ],
  [
    "google_pubsub_topic",
    "//pubsub.googleapis.com/projects/shop/topics/orders",
    {},
    "projects/shop/topics/orders",
  ],
  [
    "google_pubsub_topic",
    "//pubsub.googleapis.com/projects/42/topics/orders",
    {},
    "projects/shop/topics/orders",
  ],
  ["google_storage_bucket", "//storage.googleapis.com/photos", { name: "photos" }, "photos"],
  [
    "google_service_account",
    "//iam.googleapis.com/projects/shop/serviceAccounts/7",
    { email: "a@b.c" },
    "projects/shop/serviceAccounts/a@b.c",
  ],
])("%s %s is imported by its documented id", (type, providerResourceId, attributes, expected) => {
  expect(idOf(type, providerResourceId, attributes)).toBe(expected);
});

test.each([
  ["of another type", "aws_vpc", `arn:aws:ec2:eu-west-1:${A}:subnet/subnet-1`, {}],
  ["with another value in its attributes", "aws_sqs_queue", `arn:aws:sqs:eu-west-1:${A}:a`, { name: "b" }],
  ["of another partition, which has another domain", "aws_sqs_queue", `arn:aws-cn:sqs:cn-north-1:${A}:a`, {}],
  ["without its cluster, as old ARNs are", "aws_ecs_service", `arn:aws:ecs:eu-west-1:${A}:service/web`, {}],
  [
    "of another resource around",
    "azurerm_virtual_network",
    `${GROUP}/providers/microsoft.network/virtualnetworks/a/subnets/b`,
    {},
  ],
  [
    "without the address",
    "google_service_account",
    "//iam.googleapis.com/projects/shop/serviceAccounts/7",
    {},
  ],
  ["of a type without a documented form", "aws_wafv2_web_acl", "x", {}],
])("an id %s gives none", (_, type, providerResourceId, attributes) => {
  expect(idOf(type, providerResourceId, attributes)).toBeUndefined();
});

function idOf(type: string, providerResourceId: string, attributes: Readonly<Record<string, string>>) {
  const cloud = cloudOfType(type);
  const account = cloud.provider === "gcp" ? "shop" : A;
  const attribute = (name: string): string | undefined => attributes[name];
  return importIdOf({ cloud, type, providerResourceId, account, region: undefined, attribute })?.id;
}
