import { attribute, attributeText } from "@leeway/clouds/aws/attributes";
import { protocolName } from "@leeway/clouds/aws/network-rules";
import { isObject, type Json, type JsonObject } from "@leeway/shared/values/json";

import { valueAtPath } from "./live-path.ts";
import type { Part, Shape, ShapeWithin } from "./mapping.ts";
import { coerced, isEmptyScalar } from "./mirrored.ts";

/** A network's table, whose entries have unique keys. */
interface Table {
  keyOf: (block: JsonObject) => string | undefined;
  /** Returns the key of a part that is one of the table's entries; undefined for other parts. */
  keyOfPart: (part: Part) => string | undefined;
  /** Paths of a block's members in an entry. */
  members: Readonly<Record<string, string>>;
  /** Reports whether AWS added the entry. */
  isGiven: (live: JsonObject) => boolean;
}

/** Returns a shape that compares entries by key. Entries declared as separate resources are compared separately. */
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

/** Returns the live entries that the state contains or that are undeclared. */
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

/** Converts an entry to a block, without empty members. */
function blockOf(entry: JsonObject, members: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, path]) => {
      const value = valueAtPath(entry, path) ?? null;
      return isEmptyScalar(value) ? [] : [[name, value]];
    }),
  );
}

/** Returns the block with the live values; equivalent values stay as declared. */
function withEntry(
  block: JsonObject,
  entry: JsonObject,
  members: Readonly<Record<string, string>>,
): JsonObject {
  const entries = Object.keys(members)
    .filter((name) => Object.hasOwn(block, name))
    .map((name): [string, Json] => {
      const declared = block[name] ?? null;
      const value = coerced(entry[name] ?? (typeof declared === "number" ? 0 : ""), declared);
      const isSame = value === declared || (isEmptyScalar(value) && isEmptyScalar(declared));
      return [name, isSame || isSameProtocol(name, value, declared) ? declared : value];
    });
  return { ...block, ...Object.fromEntries(entries) };
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

/** Compares a route table's routes, except local ones and those that a gateway or a service adds. */
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

/** Renames an endpoint, which EC2 reports as a gateway. */
function withEndpoint(route: Json): Json {
  const { gatewayId, ...others } = isObject(route) ? route : {};
  return typeof gatewayId === "string" && gatewayId.startsWith("vpce-")
    ? { ...others, vpcEndpointId: gatewayId }
    : route;
}

/** Numbers of the last rule in each list, which can't be changed. */
const LAST_RULES: ReadonlySet<Json | undefined> = new Set([32_767, 32_768]);

/** Returns a shape for the rules of a network ACL in one direction. AWS keeps both directions in one list. */
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

/** Compares a protocol by its number or name. */
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
