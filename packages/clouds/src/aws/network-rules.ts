import { isObject, type Json } from "@leeway/shared/values/json";

import type { ListedResource } from "../cloud.ts";
import { rule } from "./exclusion-rule.ts";
import { field, textField } from "./payload.ts";

/** Identity of a security group's or network ACL's rule. */
export interface NetworkRule {
  /** Identifier that the rule's standalone form also has in a state. */
  id?: string;
  /** Content of the rule, which matches rules that are declared inline. */
  content?: string;
}

/** Returns the rule in a listed row, as Cloud Control or the EC2 API writes it; empty if there is none. */
export function networkRule(terraformType: string, resource: ListedResource): NetworkRule {
  if (resource.properties === undefined) return {};
  if (terraformType === "aws_security_group_rule") return listedGroupRule(resource);
  return terraformType === "aws_network_acl_rule" ? listedAclEntry(resource) : {};
}

/** Excludes rules that an index or the tagging API lists only by id. Inline declarations have no such ids. */
export const rulesListedById = rule(
  "untold_group_rule",
  "Rules whose security group isn't in the listing. They are compared as part of the group.",
  {
    types: ["AWS::EC2::SecurityGroupRule", "AWS::EC2::SecurityGroupIngress", "AWS::EC2::SecurityGroupEgress"],
    when: ({ properties }) =>
      ["GroupId", "security_group_id"].every((name) => textField(properties, name) === undefined),
  },
);

/** One source or target of a security group's rule. */
export interface GroupRule {
  group: string;
  egress: boolean;
  protocol: Json | undefined;
  fromPort: Json | undefined;
  toPort: Json | undefined;
  /** CIDR block, prefix list or security group. */
  peer: string;
}

/**
 * Reports whether none of a rule's ids in a state is AWS's. AWS splits a standalone rule with several sources or
 * targets into several rules. Older providers keep only an id of their own.
 */
export function isRuleWithoutId(terraformType: string, ids: readonly string[]): boolean {
  return terraformType === "aws_security_group_rule" && !ids.some((id) => id.startsWith("sgr-"));
}

/** Returns a text that is equal for equal rules, regardless of how protocol and ports are written. */
export function groupRuleContent({ group, egress, protocol, fromPort, toPort, peer }: GroupRule): string {
  const name = protocolName(protocol);
  // For a protocol without ports, they are written as 0, as -1 or not at all.
  const ports = WITH_PORTS.has(name) ? `${plain(fromPort)}|${plain(toPort)}` : "*";
  return [group, egress ? "egress" : "ingress", name, ports, withoutAccount(peer)].join("|");
}

/** Returns the identifier of a network ACL's entry: the ACL, the direction and the rule's number. */
export function aclEntryId(acl: string, egress: boolean, number: Json): string {
  return `${acl}|${egress}|${plain(number)}`;
}

const PEERS = [
  "CidrIp",
  "CidrIpv4",
  "CidrIpv6",
  "SourceSecurityGroupId",
  "DestinationSecurityGroupId",
  "SourcePrefixListId",
  "DestinationPrefixListId",
  "PrefixListId",
];

function listedGroupRule({ provider_type, properties }: ListedResource): NetworkRule {
  const referenced = field(properties, "ReferencedGroupInfo");
  const group = textField(properties, "GroupId");
  const peer =
    PEERS.map((name) => textField(properties, name)).find((value) => value !== undefined) ??
    (isObject(referenced) ? textField(referenced, "GroupId") : undefined);
  if (group === undefined || peer === undefined) return {};
  return {
    content: groupRuleContent({
      group,
      egress: provider_type === "AWS::EC2::SecurityGroupEgress" || field(properties, "IsEgress") === true,
      protocol: field(properties, "IpProtocol"),
      fromPort: field(properties, "FromPort"),
      toPort: field(properties, "ToPort"),
      peer,
    }),
  };
}

function listedAclEntry({ properties }: ListedResource): NetworkRule {
  const acl = textField(properties, "NetworkAclId");
  const number = field(properties, "RuleNumber");
  if (acl === undefined || number === undefined) return {};
  return { id: aclEntryId(acl, field(properties, "Egress") === true, number) };
}

const PROTOCOLS = new Map([
  ["all", "-1"],
  ["1", "icmp"],
  ["6", "tcp"],
  ["17", "udp"],
  ["58", "icmpv6"],
]);

const WITH_PORTS = new Set(["tcp", "udp", "icmp", "icmpv6"]);

/** Returns a protocol as Terraform writes it. */
export function protocolName(protocol: Json | undefined): string {
  const text = plain(protocol).toLowerCase();
  return PROTOCOLS.get(text) ?? text;
}

function plain(value: Json | undefined): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

/** Removes the account that may precede a group of another account: `123456789012/sg-1`. */
function withoutAccount(peer: string): string {
  return peer.replace(/^\d{12}\//, "").toLowerCase();
}
