import { expect, test } from "bun:test";

import type { JsonObject } from "@leeway/shared/values/json";

import { aws } from "./aws.ts";

const ACCOUNT = "123456789012";

test.each<[part: string, attributes: JsonObject, whole: string, id: string]>([
  ["aws_security_group_rule", { security_group_id: "sg-1" }, "AWS::EC2::SecurityGroup", "sg-1"],
  [
    "aws_vpc_security_group_egress_rule",
    { security_group_id: "sg-1" },
    "AWS::EC2::SecurityGroup",
    `arn:aws:ec2:eu-west-1:${ACCOUNT}:security-group/sg-1`,
  ],
  [
    "aws:ec2/securityGroupRule:SecurityGroupRule",
    { securityGroupId: "sg-1" },
    "AWS::EC2::SecurityGroup",
    "sg-1",
  ],
  [
    "aws_iam_role_policy_attachment",
    { role: "app" },
    "AWS::IAM::Role",
    `arn:aws:iam::${ACCOUNT}:role/team/app`,
  ],
  ["aws_iam_policy_attachment", { roles: ["other", "app"] }, "AWS::IAM::Role", "app"],
  [
    "aws_iam_policy_attachment",
    { roles: ["app"], users: ["ada"], groups: [] },
    "AWS::IAM::User",
    `arn:aws:iam::${ACCOUNT}:user/ada`,
  ],
  ["aws_iam_policy_attachment", { roles: [], groups: ["ops"] }, "AWS::IAM::Group", "ops"],
  ["aws_iam_role_policies_exclusive", { role_name: "app" }, "AWS::IAM::Role", "app"],
  ["aws_iam_user_policies_exclusive", { user_name: "ada" }, "AWS::IAM::User", "ada"],
  ["aws_iam_group_policy_attachments_exclusive", { group_name: "ops" }, "AWS::IAM::Group", "ops"],
  ["aws_iam_group_membership", { group: "ops", users: ["ada"] }, "AWS::IAM::User", "ada"],
  ["aws_iam_user_policy_attachment", { user: "ada" }, "AWS::IAM::User", `arn:aws:iam::${ACCOUNT}:user/ada`],
  ["aws_iam_group_policy_attachment", { group: "ops" }, "AWS::IAM::Group", "ops"],
  ["aws_iam_user_policy", { user: "ada" }, "AWS::IAM::User", `arn:aws:iam::${ACCOUNT}:user/ada`],
  [
    "aws_autoscaling_attachment",
    { autoscaling_group_name: "web" },
    "AWS::AutoScaling::AutoScalingGroup",
    "web",
  ],
  [
    "aws_cloudwatch_event_target",
    { rule: "nightly", event_bus_name: "default" },
    "AWS::Events::Rule",
    `arn:aws:events:eu-west-1:${ACCOUNT}:rule/nightly`,
  ],
  [
    "aws_cloudwatch_event_target",
    { rule: "nightly", event_bus_name: `arn:aws:events:eu-west-1:${ACCOUNT}:event-bus/orders` },
    "AWS::Events::Rule",
    `arn:aws:events:eu-west-1:${ACCOUNT}:rule/orders/nightly`,
  ],
  ["aws_route", { route_table_id: "rtb-1" }, "AWS::EC2::RouteTable", "rtb-1"],
  ["aws_network_acl_rule", { network_acl_id: "acl-1" }, "AWS::EC2::NetworkAcl", "acl-1"],
  ["aws_vpc_endpoint_policy", { vpc_endpoint_id: "vpce-1" }, "AWS::EC2::VPCEndpoint", "vpce-1"],
  ["aws_kms_key_policy", { key_id: "k-1" }, "AWS::KMS::Key", `arn:aws:kms:eu-west-1:${ACCOUNT}:key/k-1`],
  [
    "aws_sqs_queue_policy",
    { queue_url: `https://sqs.eu-west-1.amazonaws.com/${ACCOUNT}/jobs` },
    "AWS::SQS::Queue",
    `arn:aws:sqs:eu-west-1:${ACCOUNT}:jobs`,
  ],
  [
    "aws_sns_topic_policy",
    { arn: `arn:aws:sns:eu-west-1:${ACCOUNT}:news` },
    "AWS::SNS::Topic",
    `arn:aws:sns:eu-west-1:${ACCOUNT}:news`,
  ],
  [
    "aws_opensearch_domain_policy",
    { domain_name: "logs" },
    "AWS::OpenSearchService::Domain",
    `arn:aws:es:eu-west-1:${ACCOUNT}:domain/logs`,
  ],
  [
    "aws_dynamodb_resource_policy",
    { resource_arn: `arn:aws:dynamodb:eu-west-1:${ACCOUNT}:table/orders` },
    "AWS::DynamoDB::Table",
    "orders",
  ],
  [
    "aws_eks_access_policy_association",
    { principal_arn: `arn:aws:iam::${ACCOUNT}:role/ops`, cluster_name: "main", policy_arn: "x" },
    "AWS::EKS::AccessEntry",
    `arn:aws:iam::${ACCOUNT}:role/ops|main`,
  ],
  ["aws_api_gateway_rest_api_policy", { rest_api_id: "a1b2" }, "AWS::ApiGateway::RestApi", "a1b2"],
  ["aws_s3_bucket_policy", { bucket: "files" }, "AWS::S3::Bucket", "arn:aws:s3:::files"],
  ["aws_s3_bucket_public_access_block", { bucket: "files" }, "AWS::S3::Bucket", "files"],
])("%s %j is a part of its %s", (type, attributes, provider_type, provider_resource_id) => {
  const keys = aws.wholeKeys({ address: "x", type, attributes });
  const live = aws.liveKeys({ provider_type, provider_resource_id, complete: true }, ACCOUNT);
  expect(keys.filter((key) => live.includes(key))).not.toEqual([]);
});

test("a resource without a parent, or with an unknown one, is a part of nothing", () => {
  expect(aws.wholeKeys({ address: "x", type: "aws_sqs_queue", attributes: { id: "jobs" } })).toEqual([]);
  expect(aws.wholeKeys({ address: "x", type: "aws_s3_bucket_policy", attributes: {} })).toEqual([]);
  const half = { type: "aws_eks_access_policy_association", attributes: { cluster_name: "main" } };
  expect(aws.wholeKeys({ address: "x", ...half })).toEqual([]);
});
