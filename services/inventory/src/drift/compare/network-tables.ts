import { isObject, type Json, type JsonObject } from "@leeway/shared/json";

import { attribute, attributeText } from "../../clouds/aws/attributes.ts";
import { protocolName } from "../../clouds/aws/network-rules.ts";
import { valueAtPath } from "./live-path.ts";
import type { Part, Shape, ShapeWithin } from "./mapping.ts";
import { coerced, isEmptyScalar } from "./mirrored.ts";

/** A table of a network, of whose entries no two have one key. */
interface Table {
  keyOf: (block: JsonObject) => string | undefined;
  /** The key of a resource that is one of the table's entries; undefined for any other. */
  keyOfPart: (part: Part) => string | undefined;
  /** Where the members of a block are in an entry. */
  members: Readonly<Record<string, string>>;
  /** Whether AWS has put it there. */
  isGiven: (live: JsonObject) => boolean;
}

/** Entries by their keys; those that are resources of their own tell for themselves. */
function entries(table: Table): ShapeWithin {
  const { keyOf, members } = table;
  return (live, declared, { parts }) => {
    if (!Array.isArray(live)) return undefined;
    const known = Array.isArray(declared) ? declared.filter(isObject) : [];
    const found = tableOf(live.filter(isObject), table, { known, parts });
    const kept = known.map((block) => {
      const entry = found.get(keyOf(block));
      found.delete(keyOf(block));
      return entry === undefined ? null : withEntry(block, entry, members);
    });
    const all = [...kept, ...found.values()];
    return declared === null && all.length === 0 ? null : all;
  };
}

/** What is live and known to the state, or nobody's. */
function tableOf(
  live: readonly JsonObject[],
  { keyOf, keyOfPart, members, isGiven }: Table,
  { known, parts }: { known: readonly JsonObject[]; parts: readonly Part[] },
): Map<string | undefined, JsonObject> {
  const own = new Set(known.map(keyOf));
  const apart = new Set(parts.map(keyOfPart));
  const found = new Map<string | undefined, JsonObject>();
  for (const entry of live) {
    const block = blockOf(entry, members);
    const key = keyOf(block);
    if (own.has(key) || !(isGiven(entry) || apart.has(key))) found.set(key, block);
  }
  return found;
}

/** An entry in the state's words, without what is empty. */
function blockOf(entry: JsonObject, members: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, path]) => {
      const value = valueAtPath(entry, path) ?? null;
      return isEmptyScalar(value) ? [] : [[name, value]];
    }),
  );
}

/** What means the same stays as it is declared. */
function withEntry(
  block: JsonObject,
  entry: JsonObject,
  members: Readonly<Record<string, string>>,
): JsonObject {
  const told = Object.keys(members)
    .filter((name) => Object.hasOwn(block, name))
    .map((name): [string, Json] => {
      const declared = block[name] ?? null;
      const value = coerced(entry[name] ?? (typeof declared === "number" ? 0 : ""), declared);
      const isSame = value === declared || (isEmptyScalar(value) && isEmptyScalar(declared));
      return [name, isSame || isSameProtocol(name, value, declared) ? declared : value];
    });
  return { ...block, ...Object.fromEntries(told) };
}

function isSameProtocol(name: string, value: Json, declared: Json): boolean {
  return name === "protocol" && protocolName(value) === protocolName(declared);
}

const DESTINATIONS = {
  cidr_block: "destinationCidrBlock",
  ipv6_cidr_block: "destinationIpv6CidrBlock",
  destination_prefix_list_id: "destinationPrefixListId",
};
const TARGETS = `gateway_id nat_gateway_id transit_gateway_id vpc_peering_connection_id network_interface_id
local_gateway_id carrier_gateway_id core_network_arn vpc_endpoint_id`;
function destinationOf(route: JsonObject): string | undefined {
  const names = [...Object.keys(DESTINATIONS), "destination_cidr_block", "destination_ipv6_cidr_block"];
  return names.map((name) => attributeText(route, name)).find((destination) => destination !== undefined);
}

/** The routes of a route table, but for those within the network, and those that a gateway or a service makes. */
export const routes: ShapeWithin = (live, declared, whole) =>
  ROUTES(Array.isArray(live) ? live.map(withEndpoint) : live, declared, whole);

const ROUTES = entries({
  keyOf: destinationOf,
  keyOfPart: ({ type, attributes }) => (type === "aws_route" ? destinationOf(attributes) : undefined),
  members: {
    ...DESTINATIONS,
    ...Object.fromEntries(TARGETS.split(/\s+/).map((name) => [name, name])),
    egress_only_gateway_id: "egressOnlyInternetGatewayId",
  },
  isGiven: (route) =>
    valueAtPath(route, "gatewayId") === "local" ||
    valueAtPath(route, "origin") === "EnableVgwRoutePropagation" ||
    (valueAtPath(route, "vpcEndpointId") !== undefined &&
      valueAtPath(route, "destinationPrefixListId") !== undefined),
});

/** EC2 calls an endpoint a gateway, the state doesn't. */
function withEndpoint(route: Json): Json {
  const { gatewayId, ...others } = isObject(route) ? route : {};
  return typeof gatewayId === "string" && gatewayId.startsWith("vpce-")
    ? { ...others, vpcEndpointId: gatewayId }
    : route;
}

/** The last rule of each list, which nobody can change. */
const LAST_RULES: ReadonlySet<Json | undefined> = new Set([32_767, 32_768]);

/** The rules of a network ACL, which AWS has in one list. */
export function aclRules(direction: "ingress" | "egress"): ShapeWithin {
  const isOfList = (rule: Json): boolean => valueAtPath(rule, "egress") === (direction === "egress");
  const rules = entries({
    keyOf: numberOf,
    keyOfPart: ({ type, attributes }) =>
      type === "aws_network_acl_rule" && isOfList({ egress: attribute(attributes, "egress") ?? false })
        ? numberOf(attributes)
        : undefined,
    members: ACL_RULE,
    isGiven: (rule) => LAST_RULES.has(valueAtPath(rule, "ruleNumber")),
  });
  return (live, declared, whole) =>
    rules(Array.isArray(live) ? live.filter(isOfList) : live, declared, whole);
}

/** By its number or its name. */
export const protocol: Shape = (live, declared) =>
  protocolName(live) === protocolName(declared) ? declared : coerced(live, declared);

const ACL_RULE = {
  rule_no: "ruleNumber",
  action: "ruleAction",
  protocol: "protocol",
  cidr_block: "cidrBlock",
  ipv6_cidr_block: "ipv6CidrBlock",
  from_port: "portRange.from",
  to_port: "portRange.to",
  icmp_type: "icmpTypeCode.type",
  icmp_code: "icmpTypeCode.code",
};

function numberOf(rule: JsonObject): string | undefined {
  return attributeText(rule, "rule_no") ?? attributeText(rule, "rule_number");
}
