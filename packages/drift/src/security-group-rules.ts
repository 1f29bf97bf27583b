import { attribute, attributeText, attributeTexts } from "@leeway/clouds/aws/attributes";
import { groupRuleContent, protocolName } from "@leeway/clouds/aws/network-rules";
import { isObject, text, type Json, type JsonObject } from "@leeway/shared/values/json";

import { memberOf } from "./live-path.ts";
import type { Part, ShapeWithin, Whole } from "./mapping.ts";
import { namesOf } from "./names.ts";

/** Protocol and ports of a rule. */
interface Head {
  protocol: string;
  from_port: number;
  to_port: number;
}

/** One source or target of a rule, independent of how rules are grouped. */
interface Grant extends Head {
  kind: string;
  /** Source or target; for `self`, the group itself. */
  peer: string;
  /** Equal for the same grant in any spelling. */
  key: string;
}

const LISTS = ["cidr_blocks", "ipv6_cidr_blocks", "prefix_list_ids", "security_groups"] as const;
const ALL = "-1";

/**
 * Returns a shape for security group rules. The state groups them like the configuration, EC2 by ports, so sources are
 * compared one by one and descriptions are ignored. A rule with all of its sources stays unchanged. From other rules,
 * missing sources are removed. Each new source becomes its own rule, unless a separate resource declares it.
 */
export function securityGroupRules(direction: "ingress" | "egress"): ShapeWithin {
  return (live, declared, whole) => {
    if (!Array.isArray(live) || !Array.isArray(declared)) return undefined;
    const group = idOf(whole);
    const open = new Map(live.flatMap(liveGrants).map((grant) => [grant.key, grant]));
    const there = new Set(open.keys());
    const kept = declared.map((rule) => {
      if (!isObject(rule)) return rule;
      const grants = declaredGrants(rule, group);
      for (const { key } of grants) open.delete(key);
      const gone = grants.filter(({ key }) => !there.has(key));
      return gone.length === 0 ? rule : without(rule, gone, group);
    });
    const standalone = whole.parts.filter((part) => directionOf(part) === direction).map(ruleIn);
    for (const { key } of standalone.flatMap((rule) => declaredGrants(rule, group))) open.delete(key);
    return [...kept, ...open.values().map((grant) => ruleOf(grant, group))];
  };
}

function directionOf({ type, attributes }: Part): string | undefined {
  if (type === "aws_vpc_security_group_ingress_rule") return "ingress";
  return type === "aws_vpc_security_group_egress_rule" ? "egress" : attributeText(attributes, "type");
}

/** Converts a separate rule to an inline one. */
function ruleIn({ attributes }: Part): JsonObject {
  const peers = (...names: string[]): string[] =>
    names.flatMap((name) => [
      ...textsOf([attribute(attributes, name) ?? null]),
      ...attributeTexts(attributes, name).map(({ value }) => value),
    ]);
  return {
    protocol: attribute(attributes, "protocol") ?? attribute(attributes, "ip_protocol") ?? null,
    from_port: attribute(attributes, "from_port") ?? null,
    to_port: attribute(attributes, "to_port") ?? null,
    cidr_blocks: peers("cidr_blocks", "cidr_ipv4"),
    ipv6_cidr_blocks: peers("ipv6_cidr_blocks", "cidr_ipv6"),
    prefix_list_ids: peers("prefix_list_ids", "prefix_list_id"),
    security_groups: peers("source_security_group_id", "referenced_security_group_id"),
    self: attribute(attributes, "self") ?? false,
  };
}

function idOf({ declared, live }: Whole): string {
  return text(declared, "id") ?? textsOf([member(live, "groupId") ?? null])[0] ?? "";
}

function grantOf(head: Head, kind: string, peer: string): Grant {
  const { protocol, from_port: fromPort, to_port: toPort } = head;
  const key = groupRuleContent({ group: "", egress: false, protocol, fromPort, toPort, peer });
  return { ...head, kind, peer, key };
}

function declaredGrants(rule: JsonObject, group: string): Grant[] {
  const head = headOf(rule);
  const listed = LISTS.flatMap((kind) => textsOf(rule[kind]).map((peer) => grantOf(head, kind, peer)));
  return rule["self"] === true ? [...listed, grantOf(head, "self", group)] : listed;
}

/** Returns the rule without the missing sources; null if none is left. */
function without(rule: JsonObject, gone: readonly Grant[], group: string): Json {
  const left: JsonObject = { ...rule };
  const goneByKind = Map.groupBy(gone, ({ kind }) => kind);
  for (const kind of LISTS) {
    if (!Array.isArray(rule[kind])) continue;
    const peers = new Set(goneByKind.get(kind)?.map(({ peer }) => peer));
    left[kind] = textsOf(rule[kind]).filter((peer) => !peers.has(peer));
  }
  if (gone.some(({ kind }) => kind === "self")) left["self"] = false;
  return declaredGrants(left, group).length === 0 ? null : left;
}

function ruleOf({ protocol, from_port, to_port, kind, peer }: Grant, group: string): JsonObject {
  const self = peer === group;
  const lists = Object.fromEntries(LISTS.map((name) => [name, name === kind && !self ? [peer] : []]));
  return { protocol, from_port, to_port, ...lists, self, description: "" };
}

/** Members with a rule's sources or targets in EC2, AWS Config and the resource type. */
const PEERS: readonly { kind: (typeof LISTS)[number]; lists: readonly string[]; names: readonly string[] }[] =
  [
    { kind: "cidr_blocks", lists: ["ipRanges", "ipv4Ranges"], names: ["cidrIp"] },
    { kind: "ipv6_cidr_blocks", lists: ["ipv6Ranges"], names: ["cidrIpv6"] },
    {
      kind: "prefix_list_ids",
      lists: ["prefixListIds"],
      names: ["prefixListId", "sourcePrefixListId", "destinationPrefixListId"],
    },
    {
      kind: "security_groups",
      lists: ["userIdGroupPairs"],
      names: ["groupId", "sourceSecurityGroupId", "destinationSecurityGroupId"],
    },
  ];

function liveGrants(rule: Json): Grant[] {
  if (!isObject(rule)) return [];
  const head = headOf({
    protocol: member(rule, "ipProtocol") ?? ALL,
    from_port: member(rule, "fromPort") ?? null,
    to_port: member(rule, "toPort") ?? null,
  });
  return PEERS.flatMap(({ kind, lists, names }) => {
    const items = lists.flatMap((list) => {
      const value = member(rule, list);
      return Array.isArray(value) ? value : [];
    });
    const peers = [rule, ...items].flatMap((item) =>
      isObject(item) ? peersIn(item, names) : textsOf([item]),
    );
    return [...new Set(peers)].map((peer) => grantOf(head, kind, peer));
  });
}

function peersIn(item: JsonObject, names: readonly string[]): string[] {
  return names.flatMap((name) => textsOf([member(item, name) ?? null]));
}

function headOf({ protocol, from_port, to_port }: JsonObject): Head {
  return {
    protocol: protocolName(protocol ?? ALL),
    from_port: Number(from_port ?? 0),
    to_port: Number(to_port ?? 0),
  };
}

function member(object: JsonObject, name: string): Json | undefined {
  return memberOf(object, namesOf(name));
}

function textsOf(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
