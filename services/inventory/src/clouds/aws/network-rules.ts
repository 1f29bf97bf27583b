import { isObject, type Json } from "@leeway/shared/json";

import type { ListedResource } from "../cloud.ts";
import { rule } from "./exclusion-rule.ts";
import { field, textField } from "./payload.ts";

/** What makes a rule of a security group or a network ACL this one and no other. */
export interface NetworkRule {
  /** The identifier that its standalone form has in a state as well. */
  id?: string;
  /** Its content, by which a rule that is declared inline is found. */
  content?: string;
}

/** The rule that a listed row holds, as Cloud Control or the EC2 API write it; empty when it holds none. */
export function networkRule(terraformType: string, resource: ListedResource): NetworkRule {
  if (resource.properties === undefined) return {};
  if (terraformType === "aws_security_group_rule") return listedGroupRule(resource);
  return terraformType === "aws_network_acl_rule" ? listedAclEntry(resource) : {};
}

/** For what an index or the tagging API has of rules: their ids, which only states of standalone rules have. */
export const untoldRules = rule(
  "untold_group_rule",
  "Rules of which the listing doesn't tell the security group: the group is compared with them.",
  {
    types: ["AWS::EC2::SecurityGroupRule", "AWS::EC2::SecurityGroupIngress", "AWS::EC2::SecurityGroupEgress"],
    when: ({ properties }) =>
      ["GroupId", "security_group_id"].every((name) => textField(properties, name) === undefined),
  },
);

/** One source or target of one rule of a security group. */
export interface GroupRule {
  group: string;
  egress: boolean;
  protocol: Json | undefined;
  fromPort: Json | undefined;
  toPort: Json | undefined;
  /** A CIDR block, a prefix list or a security group. */
  peer: string;
}

/**
 * Whether none of a rule's ids in a state is that of AWS: of a standalone one with several sources or targets it has made a
 * rule of each, and older providers keep only what they call it themselves.
 */
export function isRuleWithoutId(terraformType: string, ids: readonly string[]): boolean {
  return terraformType === "aws_security_group_rule" && !ids.some((id) => id.startsWith("sgr-"));
}

/** Text that is equal for equal rules, however their protocol and ports are written. */
export function groupRuleContent({ group, egress, protocol, fromPort, toPort, peer }: GroupRule): string {
  const name = protocolName(protocol);
  // The ports of a protocol that has none are written as 0, as -1 or not at all.
  const ports = WITH_PORTS.has(name) ? `${plain(fromPort)}|${plain(toPort)}` : "*";
  return [group, egress ? "egress" : "ingress", name, ports, withoutAccount(peer)].join("|");
}

/** The identifier of a network ACL's entry: the list, the direction and the rule's number. */
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

/** A protocol as Terraform writes it, however it is written. */
export function protocolName(protocol: Json | undefined): string {
  const text = plain(protocol).toLowerCase();
  return PROTOCOLS.get(text) ?? text;
}

function plain(value: Json | undefined): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

/** Groups of other accounts may carry theirs: `123456789012/sg-1`. */
function withoutAccount(peer: string): string {
  return peer.replace(/^\d{12}\//, "").toLowerCase();
}
