import { describe, expect, test } from "bun:test";

import type { ListedResource } from "../cloud.ts";
import { liveKeys } from "./keys.ts";
import { ownerKeys } from "./owners.ts";

const ACCOUNT = "123456789012";
const arn = (service: string, resource: string) => `arn:aws:${service}:eu-west-1:${ACCOUNT}:${resource}`;

function listed(
  provider_type: string,
  provider_resource_id: string,
  more: Partial<ListedResource> = {},
): ListedResource {
  return { provider_resource_id, provider_type, complete: false, ...more };
}

const instance = listed("AWS::EC2::Instance", arn("ec2", "instance/i-1"));
const attached = (DeleteOnTermination: boolean) => ({
  attachments: [{ instanceId: "i-1", deleteOnTermination: DeleteOnTermination }],
});
const described = (description: string) =>
  listed("AWS::EC2::NetworkInterface", "eni-1", { properties: { description } });

describe("the owner of", () => {
  test.each<[string, ListedResource, ListedResource]>([
    [
      "an instance of an autoscaling group",
      listed("AWS::EC2::Instance", "i-2", { tags: { "aws:autoscaling:groupName": "web" } }),
      listed(
        "AWS::AutoScaling::AutoScalingGroup",
        arn("autoscaling", "autoScalingGroup:0f:autoScalingGroupName/web"),
      ),
    ],
    [
      "an autoscaling group of a node group",
      listed("AWS::AutoScaling::AutoScalingGroup", "eks-blue", {
        tags: { "eks:cluster-name": "prod", "eks:nodegroup-name": "blue" },
      }),
      listed("AWS::EKS::Nodegroup", arn("eks", "nodegroup/prod/blue/0f")),
    ],
    [
      "an instance of an Elastic Beanstalk environment",
      listed("AWS::EC2::Instance", "i-2", { tags: { "elasticbeanstalk:environment-name": "shop-prod" } }),
      listed("AWS::ElasticBeanstalk::Environment", arn("elasticbeanstalk", "environment/shop/shop-prod")),
    ],
    [
      "a volume deleted with its instance",
      listed("AWS::EC2::Volume", "vol-1", { properties: attached(true) }),
      instance,
    ],
    [
      "the primary interface of an instance",
      listed("AWS::EC2::NetworkInterface", "eni-1", {
        properties: { attachment: { instanceId: "i-1", deviceIndex: 0, deleteOnTermination: true } },
      }),
      instance,
    ],
    [
      "the interface of a load balancer",
      described("ELB app/web/50dc6c495c0c9188"),
      listed(
        "AWS::ElasticLoadBalancingV2::LoadBalancer",
        arn("elasticloadbalancing", "loadbalancer/app/web/50dc6c495c0c9188"),
      ),
    ],
    [
      "the interface of a classic load balancer",
      described("ELB web"),
      listed("AWS::ElasticLoadBalancing::LoadBalancer", "web"),
    ],
    [
      "the interface of a NAT gateway",
      described("Interface for NAT Gateway nat-0a5408508b19ef490"),
      listed("AWS::EC2::NatGateway", "nat-0a5408508b19ef490"),
    ],
    [
      "the interface of a VPC endpoint",
      described("VPC Endpoint Interface vpce-0a5408508b19ef490"),
      listed("AWS::EC2::VPCEndpoint", "vpce-0a5408508b19ef490"),
    ],
    [
      "the interface of a function",
      described("AWS Lambda VPC ENI-resize-images-0f0e0d0c-0b0a-0908-0706-050403020100"),
      listed("AWS::Lambda::Function", "resize-images"),
    ],
    [
      "the interface of a mount target",
      described("EFS mount target for fs-0a540850 (fsmt-0a540851)"),
      listed("AWS::EFS::MountTarget", "fsmt-0a540851"),
    ],
    [
      "a node of a replication group",
      listed("AWS::ElastiCache::CacheCluster", "main-001", { properties: { ReplicationGroupId: "main" } }),
      listed("AWS::ElastiCache::ReplicationGroup", arn("elasticache", "replicationgroup:main")),
    ],
    [
      "a reader that autoscaling added to a cluster",
      listed(
        "AWS::RDS::DBInstance",
        arn("rds", "db:application-autoscaling-0a1b2c3d-1111-2222-3333-444455556666"),
        {
          properties: { dBClusterIdentifier: "orders" },
        },
      ),
      listed("AWS::RDS::DBCluster", arn("rds", "cluster:orders")),
    ],
    [
      "an automated cluster snapshot, by its name",
      listed("AWS::RDS::DBClusterSnapshot", arn("rds", "cluster-snapshot:rds:main-2026-01-02-03-04")),
      listed("AWS::RDS::DBCluster", arn("rds", "cluster:main")),
    ],
    [
      "an automated database snapshot, by its properties",
      listed("AWS::RDS::DBSnapshot", "x", {
        properties: { snapshotType: "automated", dBInstanceIdentifier: "main" },
      }),
      listed("AWS::RDS::DBInstance", arn("rds", "db:main")),
    ],
    [
      "a task of a service",
      listed("AWS::ECS::Task", arn("ecs", "task/main/0f"), { properties: { group: "service:web" } }),
      listed("AWS::ECS::Service", arn("ecs", "service/main/web")),
    ],
    [
      "a row with a parent id",
      listed("anything", "x", { parent_id: arn("sqs", "jobs") }),
      listed("AWS::SQS::Queue", `https://sqs.eu-west-1.amazonaws.com/${ACCOUNT}/jobs`),
    ],
  ])("%s is found by one of its keys", (_, resource, owner) => {
    expect(ownerKeys(resource).filter((key) => liveKeys(owner, ACCOUNT).includes(key))).not.toEqual([]);
  });

  test.each<[string, ListedResource]>([
    [
      "a volume that outlives its instance",
      listed("AWS::EC2::Volume", "vol-1", { properties: attached(false) }),
    ],
    [
      "an interface that was attached later",
      listed("AWS::EC2::NetworkInterface", "eni-1", {
        properties: { attachment: { instanceId: "i-1", deviceIndex: 1, deleteOnTermination: true } },
      }),
    ],
    [
      "a manual snapshot",
      listed("AWS::RDS::DBSnapshot", arn("rds", "snapshot:before-upgrade"), {
        properties: { snapshotType: "manual", dBInstanceIdentifier: "main" },
      }),
    ],
    [
      "a standalone task",
      listed("AWS::ECS::Task", arn("ecs", "task/main/0f"), { properties: { group: "family:web" } }),
    ],
    ["a standalone instance", instance],
    [
      "a reader that was added by hand",
      listed("AWS::RDS::DBInstance", arn("rds", "db:orders-2"), {
        properties: { dBClusterIdentifier: "orders" },
      }),
    ],
  ])("%s is unknown", (_, resource) => {
    expect(ownerKeys(resource)).toEqual([]);
  });
});
