import { describe, expect, test } from "bun:test";

import type { JsonObject } from "@leeway/shared/values/json";

import type { ListedResource } from "../cloud.ts";
import { aws } from "./aws.ts";

function rules(
  provider_type: string,
  provider_resource_id: string,
  more: Partial<ListedResource> = {},
): string[] {
  const resource = { provider_resource_id, provider_type, complete: false, ...more };
  return aws.exclusions.filter((rule) => rule.applies(resource)).map(({ id }) => id.replace("aws.", ""));
}

const arn = (service: string, resource: string) => `arn:aws:${service}:eu-west-1:123456789012:${resource}`;

describe("a resource is excluded by its name or path", () => {
  test.each<[string, string, string, string]>([
    [
      "a service-linked role",
      "AWS::IAM::Role",
      "arn:aws:iam::123456789012:role/aws-service-role/ecs.amazonaws.com/AWSServiceRoleForECS",
      "service_linked_role",
    ],
    [
      "an Identity Center role",
      "AWS::IAM::Role",
      "arn:aws:iam::123456789012:role/aws-reserved/sso.amazonaws.com/AWSReservedSSO_Admin_0f",
      "sso_role",
    ],
    [
      "an AWS managed policy",
      "AWS::IAM::ManagedPolicy",
      "arn:aws:iam::aws:policy/AdministratorAccess",
      "managed_policy",
    ],
    ["an AWS managed key alias", "AWS::KMS::Alias", "alias/aws/s3", "managed_key"],
    ["the default event bus", "AWS::Events::EventBus", "default", "default_event_bus"],
    [
      "a default parameter group",
      "AWS::RDS::DBParameterGroup",
      "default.postgres17",
      "default_parameter_group",
    ],
    ["a default option group", "AWS::RDS::OptionGroup", "default:mysql-8-0", "default_parameter_group"],
    [
      "a subnet group made by the console",
      "AWS::RDS::DBSubnetGroup",
      "default-vpc-0f0e0d0c0b0a0908",
      "default_subnet_group",
    ],
    [
      "an automated snapshot",
      "AWS::RDS::DBSnapshot",
      arn("rds", "snapshot:rds:main-2026-01-02-03-04"),
      "automated_snapshot",
    ],
    [
      "an automated Redshift snapshot",
      "AWS::Redshift::ClusterSnapshot",
      arn("redshift", "snapshot:dw/rs:dw-2026-01-02"),
      "automated_snapshot",
    ],
    ["Athena's primary work group", "AWS::Athena::WorkGroup", "primary", "default_workgroup"],
    [
      "an alarm of a scaling policy",
      "AWS::CloudWatch::Alarm",
      "TargetTracking-service/main/web-AlarmHigh-0f",
      "target_tracking_alarm",
    ],
    ["a Lambda log group", "AWS::Logs::LogGroup", "/aws/lambda/resize", "service_log_group"],
    [
      "the CDK bootstrap bucket",
      "AWS::S3::Bucket",
      "arn:aws:s3:::cdk-hnb659fds-assets-123456789012-eu-west-1",
      "cdk_bootstrap",
    ],
    [
      "the CDK bootstrap version",
      "AWS::SSM::Parameter",
      arn("ssm", "parameter/cdk-bootstrap/hnb659fds/version"),
      "cdk_bootstrap",
    ],
    [
      "an AWS document",
      "AWS::SSM::Document",
      "arn:aws:ssm:eu-west-1::document/AWS-RunShellScript",
      "managed_document",
    ],
    [
      "a predefined deployment configuration",
      "AWS::CodeDeploy::DeploymentConfig",
      "CodeDeployDefault.OneAtATime",
      "predefined_deployment",
    ],
    ["the default backup vault", "AWS::Backup::BackupVault", "Default", "default_backup_vault"],
    [
      "an instance that an agent registered with ECS",
      "AWS::ECS::ContainerInstance",
      arn("ecs", "container-instance/main/0f"),
      "registered_instance",
    ],
    ["a recovery point", "AWS::Backup::RecoveryPoint", arn("backup", "recovery-point:0f"), "recovery_point"],
    ["a task", "AWS::ECS::Task", arn("ecs", "task/main/0f"), "container_task"],
  ])("%s", (_, type, id, rule) => {
    expect(rules(type, id)).toContain(rule);
  });
});

describe("a resource is excluded by its properties", () => {
  test.each<[string, string, JsonObject, string]>([
    ["the default VPC", "AWS::EC2::VPC", { isDefault: true }, "default_vpc"],
    [
      "a listener's default rule",
      "AWS::ElasticLoadBalancingV2::ListenerRule",
      { IsDefault: true },
      "default_listener_rule",
    ],
    ["a default subnet", "AWS::EC2::Subnet", { defaultForAz: true }, "default_subnet"],
    ["a main route table", "AWS::EC2::RouteTable", { associations: [{ main: true }] }, "main_route_table"],
    ["a local route", "AWS::EC2::Route", { GatewayId: "local" }, "local_route"],
    ["the default network ACL", "AWS::EC2::NetworkAcl", { isDefault: true }, "default_network_acl"],
    [
      "the last entry of a network ACL",
      "AWS::EC2::NetworkAclEntry",
      { RuleNumber: 32767 },
      "default_network_acl_entry",
    ],
    [
      "the default security group",
      "AWS::EC2::SecurityGroup",
      { groupName: "default" },
      "default_security_group",
    ],
    [
      "default DHCP options",
      "AWS::EC2::DHCPOptions",
      { DomainName: "eu-west-1.compute.internal", DomainNameServers: ["AmazonProvidedDNS"] },
      "default_dhcp_options",
    ],
    [
      "an interface managed by a service",
      "AWS::EC2::NetworkInterface",
      { requesterManaged: true },
      "requester_managed_interface",
    ],
    [
      "a NAT gateway's interface",
      "AWS::EC2::NetworkInterface",
      { interfaceType: "nat_gateway" },
      "requester_managed_interface",
    ],
    [
      "an image's snapshot",
      "AWS::EC2::Snapshot",
      { Description: "Created by CreateImage(i-1) for ami-1" },
      "image_snapshot",
    ],
    ["an AWS managed key", "AWS::KMS::Key", { keyManager: "AWS" }, "managed_key"],
    [
      "a rule managed by a service",
      "AWS::Events::Rule",
      { ManagedBy: "autoscaling.amazonaws.com" },
      "managed_event_rule",
    ],
    [
      "an automated snapshot",
      "AWS::RDS::DBClusterSnapshot",
      { snapshotType: "automated" },
      "automated_snapshot",
    ],
  ])("%s", (_, type, properties, rule) => {
    expect(rules(type, "x", { properties })).toContain(rule);
  });
});

describe("a resource is excluded by its tags", () => {
  test.each<[string, Record<string, string>, string]>([
    [
      "of a CloudFormation stack",
      { "aws:cloudformation:stack-id": "arn:aws:cloudformation:…" },
      "owned_by_cloudformation",
    ],
    ["of an autoscaling group", { "aws:autoscaling:groupName": "web" }, "owned_by_autoscaling"],
    ["of a node group", { "eks:nodegroup-name": "blue", "eks:cluster-name": "prod" }, "owned_by_eks"],
    ["of a Kubernetes cluster", { "kubernetes.io/cluster/prod": "owned" }, "owned_by_kubernetes"],
    ["of a persistent volume", { "kubernetes.io/created-for/pvc/name": "data" }, "owned_by_kubernetes"],
    ["of Karpenter", { "karpenter.sh/nodepool": "default" }, "owned_by_karpenter"],
    ["of Elastic Beanstalk", { "elasticbeanstalk:environment-name": "shop" }, "owned_by_elastic_beanstalk"],
    ["of EMR", { "aws:elasticmapreduce:job-flow-id": "j-1" }, "owned_by_emr"],
    ["of Crossplane", { "crossplane-kind": "bucket.s3.aws.upbound.io" }, "owned_by_crossplane"],
  ])("%s", (_, tags, rule) => {
    expect(rules("AWS::EC2::Instance", "i-1", { tags })).toContain(rule);
  });
});

describe("a resource made by people is never excluded", () => {
  test.each<[string, string, Partial<ListedResource>]>([
    ["AWS::IAM::Role", "arn:aws:iam::123456789012:role/deployer", { name: "deployer" }],
    ["AWS::IAM::ManagedPolicy", "arn:aws:iam::123456789012:policy/readers", {}],
    ["AWS::EC2::VPC", "vpc-1", { properties: { isDefault: false } }],
    ["AWS::EC2::SecurityGroup", "sg-1", { properties: { GroupName: "web" } }],
    [
      "AWS::EC2::NetworkInterface",
      "eni-1",
      { properties: { requesterManaged: false, interfaceType: "interface" } },
    ],
    [
      "AWS::RDS::DBSnapshot",
      arn("rds", "snapshot:before-upgrade"),
      { properties: { snapshotType: "manual" } },
    ],
    ["AWS::Logs::LogGroup", "shop", { name: "shop" }],
    ["AWS::Events::EventBus", "orders", { name: "orders" }],
    ["AWS::EC2::Subnet", "subnet-1", { tags: { "kubernetes.io/cluster/prod": "shared" } }],
    ["AWS::S3::Bucket", "arn:aws:s3:::cdk-notes", {}],
  ])("%s %s", (type, id, more) => {
    expect(rules(type, id, more)).toEqual([]);
  });
});

test("a row in Leeway's own format is judged by its Terraform type", () => {
  expect(
    rules("vpc", "vpc-1", { terraform_type: "aws_default_vpc", properties: { IsDefault: true } }),
  ).toEqual(["default_vpc"]);
});

test("every rule has a unique id and a title", () => {
  const ids = aws.exclusions.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { id, title } of aws.exclusions) {
    expect(id).toMatch(/^aws\.[a-z_0-9]+$/);
    expect(title).toMatch(/\.$/);
  }
});
