import { isObject, present, text, type Json, type JsonObject } from "@leeway/shared/values/json";

import type { Entry } from "../derived/table.ts";
import { memberOf, valueAtPath } from "../live-path.ts";
import { namesOf } from "../names.ts";
import type { Argument } from "./arguments.ts";
import { balancer, targetGroup } from "./balancers.ts";

/** Places of attributes of Azure that have no row, because a comparison of them would be noise. */
const AZURE: Readonly<Record<string, readonly [live: string, kind: Entry["kind"]]>> = {
  edge_zone: ["/extendedLocation.name", "text"],
  https_traffic_only_enabled: ["supportsHttpsTrafficOnly", "switch"],
  internet_ingestion_enabled: ["publicNetworkAccessForIngestion", "switch"],
  internet_query_enabled: ["publicNetworkAccessForQuery", "switch"],
  local_auth_enabled: ["disableLocalAuth", "opposite"],
  local_authentication_enabled: ["disableLocalAuth", "opposite"],
  public_network_access_enabled: ["publicNetworkAccess", "switch"],
};

/** The same for AWS, by type and attribute. */
const AWS: Readonly<Record<string, readonly [live: string, kind: Entry["kind"]]>> = {
  "aws_instance hibernation": ["hibernationOptions.configured", "switch"],
  "aws_subnet enable_resource_name_dns_a_record_on_launch": [
    "privateDnsNameOptionsOnLaunch.enableResourceNameDnsARecord",
    "switch",
  ],
  "aws_subnet enable_resource_name_dns_aaaa_record_on_launch": [
    "privateDnsNameOptionsOnLaunch.enableResourceNameDnsAAAARecord",
    "switch",
  ],
};

/** Returns the place of an attribute that only adopting reads. */
export function extraEntry(type: string, path: string, { name }: Pick<Argument, "name">): Entry | undefined {
  if (path !== "") return undefined;
  const known = type.startsWith("azurerm_") ? AZURE[name] : AWS[`${type} ${name}`];
  return known && { name, live: known[0], kind: known[1], inner: [] };
}

/** Returns attributes of types whose API has another structure. */
export function extraAttributes(type: string, live: JsonObject): JsonObject {
  return EXTRA.get(type)?.(live) ?? {};
}

const EXTRA: ReadonlyMap<string, (live: JsonObject) => JsonObject> = new Map([
  ["aws_dynamodb_table", table],
  ["aws_autoscaling_group", group],
  ["aws_lb", balancer],
  ["aws_lb_target_group", targetGroup],
]);

function itemsAt(live: Json, path: string): JsonObject[] {
  const found = valueAtPath(live, path);
  return Array.isArray(found) ? found.filter(isObject) : [];
}

function textAt(item: JsonObject, name: string): string | undefined {
  const value = memberOf(item, namesOf(name));
  return typeof value === "string" ? value : undefined;
}

function keysOf(item: JsonObject): JsonObject {
  const schema = itemsAt(item, "keySchema");
  const key = (kind: string): string | undefined => {
    const found = schema.find((one) => textAt(one, "keyType") === kind);
    return found && textAt(found, "attributeName");
  };
  return present({ hash_key: key("HASH"), range_key: key("RANGE") });
}

/** Reads a table's keys and indexes, which its API keeps in lists. */
function table(live: JsonObject): JsonObject {
  const index = (item: JsonObject): JsonObject =>
    present({
      name: textAt(item, "indexName"),
      ...keysOf(item),
      projection_type: text({ live: valueAtPath(item, "projection.projectionType") ?? null }, "live"),
      non_key_attributes: valueAtPath(item, "projection.nonKeyAttributes"),
      read_capacity: valueAtPath(item, "provisionedThroughput.readCapacityUnits"),
      write_capacity: valueAtPath(item, "provisionedThroughput.writeCapacityUnits"),
    });
  return {
    ...keysOf(live),
    ...present({
      read_capacity: valueAtPath(live, "provisionedThroughput.readCapacityUnits"),
      write_capacity: valueAtPath(live, "provisionedThroughput.writeCapacityUnits"),
    }),
    attribute: itemsAt(live, "attributeDefinitions").map((one) =>
      present({ name: textAt(one, "attributeName"), type: textAt(one, "attributeType") }),
    ),
    global_secondary_index: itemsAt(live, "globalSecondaryIndexes").map(index),
    local_secondary_index: itemsAt(live, "localSecondaryIndexes").map((one) => {
      const { hash_key: _hash, read_capacity: _read, write_capacity: _write, ...own } = index(one);
      return own;
    }),
  };
}

/** Reads a group's tags, which say whether instances get them, too. */
function group(live: JsonObject): JsonObject {
  const tags = itemsAt(live, "tags").flatMap((tag) => {
    const [key, value] = [textAt(tag, "key"), textAt(tag, "value")];
    const propagates = memberOf(tag, namesOf("propagateAtLaunch"));
    const isOwn =
      key !== undefined && value !== undefined && typeof propagates === "boolean" && !key.startsWith("aws:");
    return isOwn ? [{ key, value, propagate_at_launch: propagates }] : [];
  });
  return { tag: tags };
}
