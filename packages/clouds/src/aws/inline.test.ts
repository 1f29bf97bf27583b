import { describe, expect, test } from "bun:test";

import type { JsonObject } from "@leeway/shared/values/json";

import type { DeclaredResource, ListedResource } from "../cloud.ts";
import { inlineChildren } from "./inline.ts";
import { declaredIdentity, liveKeys } from "./keys.ts";

function declared(type: string, attributes: JsonObject): DeclaredResource {
  return { address: `${type}.x`, type, attributes };
}

function live(provider_type: string, provider_resource_id: string, properties?: JsonObject): string[] {
  const resource: ListedResource = {
    provider_resource_id,
    provider_type,
    complete: true,
    ...(properties && { properties }),
  };
  return liveKeys(resource, "123456789012");
}

/** Returns the addresses of the children that match a live resource. */
function found(parent: DeclaredResource, keys: readonly string[]): string[] {
  return inlineChildren(parent)
    .filter((child) => child.keys.some((key) => keys.includes(key)))
    .map(({ address }) => address);
}

const rule = { cidr_blocks: [], ipv6_cidr_blocks: [], prefix_list_ids: [], security_groups: [], self: false };

describe("a security group's inline rules", () => {
  const group = declared("aws_security_group", {
    id: "sg-1",
    arn: "arn:aws:ec2:eu-west-1:123456789012:security-group/sg-1",
    ingress: [
      {
        ...rule,
        protocol: "tcp",
        from_port: 443,
        to_port: 443,
        cidr_blocks: ["10.0.0.0/8", "192.168.0.0/16"],
      },
      {
        ...rule,
        protocol: "tcp",
        from_port: 22,
        to_port: 22,
        security_groups: ["210987654321/sg-2"],
        self: true,
      },
    ],
    egress: [{ ...rule, protocol: "-1", from_port: 0, to_port: 0, ipv6_cidr_blocks: ["::/0"] }],
  });

  test.each<[string, string[], string]>([
    [
      "one of two CIDR blocks",
      live("AWS::EC2::SecurityGroupIngress", "sgr-1", {
        GroupId: "sg-1",
        IpProtocol: "tcp",
        FromPort: 443,
        ToPort: 443,
        CidrIp: "192.168.0.0/16",
      }),
      "ingress[0].cidr_blocks[1]",
    ],
    [
      "a rule with a protocol number",
      live("AWS::EC2::SecurityGroupIngress", "sgr-1", {
        GroupId: "sg-1",
        IpProtocol: "6",
        FromPort: "443",
        ToPort: "443",
        CidrIp: "10.0.0.0/8",
      }),
      "ingress[0].cidr_blocks[0]",
    ],
    [
      "a rule for another account's group",
      live("AWS::EC2::SecurityGroupIngress", "sgr-1", {
        GroupId: "sg-1",
        IpProtocol: "tcp",
        FromPort: 22,
        ToPort: 22,
        SourceSecurityGroupId: "sg-2",
      }),
      "ingress[1].security_groups[0]",
    ],
    [
      "a rule for the group itself",
      live("AWS::EC2::SecurityGroupRule", "sgr-1", {
        GroupId: "sg-1",
        IsEgress: false,
        IpProtocol: "tcp",
        FromPort: 22,
        ToPort: 22,
        ReferencedGroupInfo: { GroupId: "sg-1" },
      }),
      "ingress[1].self",
    ],
    [
      "a rule for all protocols, with any ports",
      live("AWS::EC2::SecurityGroupEgress", "sgr-1", {
        GroupId: "sg-1",
        IpProtocol: "-1",
        FromPort: -1,
        ToPort: -1,
        CidrIpv6: "::/0",
      }),
      "egress[0].ipv6_cidr_blocks[0]",
    ],
  ])("are found: %s", (_, keys, path) => {
    expect(found(group, keys)).toEqual([`aws_security_group.x.${path}`]);
  });

  test.each<[string, JsonObject]>([
    [
      "a rule of another group",
      { GroupId: "sg-9", IpProtocol: "tcp", FromPort: 443, ToPort: 443, CidrIp: "10.0.0.0/8" },
    ],
    [
      "a rule for another port",
      { GroupId: "sg-1", IpProtocol: "tcp", FromPort: 444, ToPort: 444, CidrIp: "10.0.0.0/8" },
    ],
    [
      "a rule for another source",
      { GroupId: "sg-1", IpProtocol: "tcp", FromPort: 443, ToPort: 443, CidrIp: "10.0.0.0/9" },
    ],
    [
      "a rule of the other direction",
      {
        GroupId: "sg-1",
        IsEgress: true,
        IpProtocol: "tcp",
        FromPort: 443,
        ToPort: 443,
        CidrIp: "10.0.0.0/8",
      },
    ],
  ])("don't match %s", (_, properties) => {
    expect(found(group, live("AWS::EC2::SecurityGroupRule", "sgr-1", properties))).toEqual([]);
  });

  test("match below a standalone rule, whose id is more specific", () => {
    const keys = live("AWS::EC2::SecurityGroupIngress", "sgr-1", {
      GroupId: "sg-1",
      IpProtocol: "tcp",
      FromPort: 443,
      ToPort: 443,
      CidrIp: "10.0.0.0/8",
    });
    const standalone = declared("aws_vpc_security_group_ingress_rule", {
      id: "sgr-1",
      security_group_id: "sg-1",
    });
    const own = declaredIdentity(standalone).keys.find((key) => keys.includes(key));
    const inline = inlineChildren(group)
      .flatMap((child) => child.keys)
      .filter((key) => keys.includes(key));
    expect([own, ...inline].map((key) => key?.[0])).toEqual(["3", "4"]);
  });

  test("have their group's account and region and their own attributes", () => {
    expect(inlineChildren(group)[0]).toMatchObject({
      address: "aws_security_group.x.ingress[0].cidr_blocks[0]",
      type: "aws_security_group_rule",
      account: "123456789012",
      region: "eu-west-1",
      attributes: { type: "ingress", security_group_id: "sg-1", from_port: 443 },
    });
  });

  test("are also found in Pulumi's format", () => {
    const pulumi = declared("aws:ec2/securityGroup:SecurityGroup", {
      id: "sg-1",
      ingress: [{ protocol: "tcp", fromPort: 443, toPort: 443, cidrBlocks: ["10.0.0.0/8"] }],
    });
    const keys = live("AWS::EC2::SecurityGroupIngress", "sgr-1", {
      GroupId: "sg-1",
      IpProtocol: "tcp",
      FromPort: 443,
      ToPort: 443,
      CidrIp: "10.0.0.0/8",
    });
    expect(found(pulumi, keys)).toHaveLength(1);
  });
});

describe("inline children are found", () => {
  test.each<[string, DeclaredResource, string[], string]>([
    [
      "a route",
      declared("aws_default_route_table", {
        id: "rtb-1",
        route: [{ cidr_block: "10.0.0.0/8", ipv6_cidr_block: "" }],
      }),
      live("AWS::EC2::Route", "rtb-1|10.0.0.0/8"),
      "route[0]",
    ],
    [
      "an entry of a network ACL",
      declared("aws_network_acl", { id: "acl-1", ingress: [{ rule_no: 100 }], egress: [{ rule_no: 100 }] }),
      live("AWS::EC2::NetworkAclEntry", "x", { NetworkAclId: "acl-1", RuleNumber: 100, Egress: true }),
      "egress[0]",
    ],
    [
      "a role policy",
      declared("aws_iam_role", { name: "deployer", inline_policy: [{ name: "read", policy: "{}" }] }),
      live("AWS::IAM::RolePolicy", "read|deployer"),
      "inline_policy[0]",
    ],
    [
      "a bucket policy",
      declared("aws_s3_bucket", { id: "logs", bucket: "logs", policy: "{}" }),
      live("AWS::S3::BucketPolicy", "logs"),
      "policy",
    ],
    [
      "the root volume of an instance",
      declared("aws_instance", { id: "i-1", root_block_device: [{ volume_id: "vol-1" }] }),
      live("AWS::EC2::Volume", "arn:aws:ec2:eu-west-1:123456789012:volume/vol-1"),
      "root_block_device[0]",
    ],
    [
      "an EBS volume of an instance",
      declared("aws_instance", {
        id: "i-1",
        ebs_block_device: [{ volume_id: "vol-1", delete_on_termination: true }],
      }),
      live("AWS::EC2::Volume", "vol-1"),
      "ebs_block_device[0]",
    ],
    [
      "the primary interface of an instance",
      declared("aws_instance", { id: "i-1", primary_network_interface_id: "eni-1" }),
      live("AWS::EC2::NetworkInterface", "eni-1"),
      "primary_network_interface_id",
    ],
    [
      "the instance of a spot request",
      declared("aws_spot_instance_request", { id: "sir-1", spot_instance_id: "i-1" }),
      live("AWS::EC2::Instance", "arn:aws:ec2:eu-west-1:123456789012:instance/i-1"),
      "spot_instance_id",
    ],
    [
      "the volume of a spot request",
      declared("aws_spot_instance_request", { id: "sir-1", root_block_device: [{ volume_id: "vol-1" }] }),
      live("AWS::EC2::Volume", "vol-1"),
      "root_block_device[0]",
    ],
  ])("%s", (_, parent, keys, path) => {
    expect(found(parent, keys)).toEqual([`${parent.address}.${path}`]);
  });

  test("for each attachment of a policy", () => {
    const attachment = declared("aws_iam_policy_attachment", {
      policy_arn: "arn:p",
      users: ["ann"],
      roles: ["deployer"],
      groups: ["ops"],
    });
    expect(inlineChildren(attachment).flatMap(({ keys }) => keys)).toEqual([
      "4:aws_iam_user_policy_attachment|ann|arn:p",
      "4:aws_iam_role_policy_attachment|deployer|arn:p",
      "4:aws_iam_group_policy_attachment|ops|arn:p",
    ]);
    const role = declared("aws_iam_role", { name: "deployer", managed_policy_arns: ["arn:p"] });
    expect(inlineChildren(role).map(({ address }) => address)).toEqual([
      "aws_iam_role.x.managed_policy_arns[0]",
    ]);
  });

  test.each<[string, DeclaredResource]>([
    [
      "a volume that was attached later",
      declared("aws_instance", {
        id: "i-1",
        ebs_block_device: [{ volume_id: "vol-1", delete_on_termination: false }],
      }),
    ],
    [
      "an interface that is declared separately",
      declared("aws_instance", {
        id: "i-1",
        primary_network_interface_id: "eni-1",
        network_interface: [{ network_interface_id: "eni-1", delete_on_termination: false }],
      }),
    ],
    [
      "an empty setting of a bucket",
      declared("aws_s3_bucket", { bucket: "logs", policy: "", versioning: [], website: null }),
    ],
    ["a type without children", declared("aws_sqs_queue", { id: "x" })],
    ["a parent without an id", declared("aws_security_group", { ingress: [{ ...rule, self: true }] })],
  ])("except %s", (_, parent) => {
    expect(inlineChildren(parent)).toEqual([]);
  });
});
