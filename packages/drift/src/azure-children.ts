import { attributeText } from "@leeway/clouds/aws/attributes";
import { detailsOf } from "@leeway/clouds/azure/details";
import { isObject, text, type Json, type JsonObject } from "@leeway/shared/values/json";

import { inAnyCase } from "./azure-shapes.ts";
import { valueAtPath } from "./live-path.ts";
import type { ShapeWithin, Shape } from "./mapping.ts";
import { mirroredAzure } from "./mirrored.ts";
import { anyCase } from "./shapes.ts";

/**
 * Compares a network security group's rules, whose live members are one
 * level deeper. Rules that are parts are compared separately.
 */
export const networkSecurityRules: ShapeWithin = children(childBlock);

/** Compares a route table's routes in the same way. */
export const routes: ShapeWithin = children((child) => {
  const block = childBlock(child);
  if (!isObject(block)) return block;
  const { nextHopIpAddress, ...others } = block;
  return { ...others, ...(nextHopIpAddress !== undefined && { nextHopInIpAddress: nextHopIpAddress }) };
});

/**
 * Compares subnets that a network declares inline. Undeclared subnets are live resources of their own. A missing subnet
 * is ignored, because it may have been deleted after the network was read.
 */
export const subnets: ShapeWithin = (live, declared, { parts }) => {
  if (!Array.isArray(live) || !Array.isArray(declared)) return undefined;
  const theirs = new Set(parts.map(({ attributes }) => attributes["name"]));
  const found = new Map(live.filter(isObject).map((subnet) => [subnet["name"], subnet]));
  return declared.map((block) => {
    const subnet = isObject(block) && !theirs.has(block["name"]) ? found.get(block["name"]) : undefined;
    return isObject(block) && subnet !== undefined ? withSubnet(block, subnet) : block;
  });
};

const SUBNET: Readonly<Record<string, (subnet: JsonObject, declared: Json) => Json | undefined>> = {
  address_prefix: prefixOf,
  address_prefixes: prefixOf,
  security_group: idOf("networkSecurityGroup"),
  route_table_id: idOf("routeTable"),
};

function withSubnet(block: JsonObject, subnet: JsonObject): JsonObject {
  if (!isObject(subnet["properties"])) return block;
  const members = Object.entries(block).map(([name, declared]): [string, Json] => [
    name,
    SUBNET[name]?.(subnet, declared) ?? declared,
  ]);
  return Object.fromEntries(members);
}

/** Returns the address prefix, or the prefixes, which Azure keeps in two members. */
function prefixOf(subnet: JsonObject, declared: Json): Json | undefined {
  const found = valueAtPath(detailsOf(subnet), "addressPrefixes | addressPrefix");
  if (found === undefined) return undefined;
  const [first, ...others] = [found].flat();
  if (Array.isArray(declared)) return mirroredAzure([found].flat(), declared);
  return others.length === 0 ? first : undefined;
}

function idOf(member: string): (subnet: JsonObject, declared: Json) => Json | undefined {
  return (subnet, declared) => {
    const id = valueAtPath(detailsOf(subnet), `${member}.id`) ?? "";
    return id === "" && declared === null ? declared : anyCase(id, declared);
  };
}

function children(blockOf: (child: Json) => Json): ShapeWithin {
  return (live, declared, { parts }) => {
    const theirs = new Set(parts.map(({ attributes }) => attributes["name"]));
    const isPart = ({ name }: JsonObject): boolean => theirs.has(name);
    return Array.isArray(live)
      ? mirroredAzure(besideKnown(live.map(blockOf), declared, isPart), declared)
      : undefined;
  };
}

/** Compares addresses of a network interface or load balancer. Dynamic addresses are ignored. */
export const ipConfigurations: Shape = (live, declared) =>
  Array.isArray(live) ? mirroredAzure(live.map(ipConfiguration), declared) : undefined;

function ipConfiguration(child: Json): Json {
  const block = childBlock(child);
  if (!isObject(block)) return block;
  const { privateIPAddress, privateIPAllocationMethod, ...others } = block;
  const isStatic = text(block, "privateIPAllocationMethod")?.toLowerCase() === "static";
  return {
    ...others,
    ...(privateIPAllocationMethod !== undefined && { privateIPAddressAllocation: privateIPAllocationMethod }),
    ...(isStatic && privateIPAddress !== undefined && { privateIPAddress }),
  };
}

/** Converts a nested resource to a block; references become ids. */
function childBlock(child: Json): Json {
  if (!isObject(child)) return child;
  const members = Object.entries(detailsOf(child)).map(([name, value]): [string, Json] => {
    if (Array.isArray(value) && value.length > 0 && value.every(isReference))
      return [`${name.replace(/s$/, "")}Ids`, value.map(({ id }) => id)];
    return isReference(value) ? [`${name}Id`, value.id] : [name, value];
  });
  return { name: child["name"] ?? null, ...Object.fromEntries(members) };
}

function isReference(value: Json): value is { id: string } {
  return isObject(value) && typeof value["id"] === "string";
}

/** Replaces live blocks that are parts with their declarations, because parts are compared separately. */
function besideKnown(live: readonly Json[], declared: Json, isPart: (block: JsonObject) => boolean): Json[] {
  const known = (Array.isArray(declared) ? declared : []).filter(isObject).filter(isPart);
  return [...live.filter((block) => !isObject(block) || !isPart(block)), ...known];
}

/** Compares the access policies of a key vault. Policies that are parts are compared separately. */
export const accessPolicies: ShapeWithin = (live, declared, { parts }) => {
  if (!Array.isArray(live)) return undefined;
  const theirs = new Set(parts.map(({ attributes }) => holderOf(attributes)));
  const isPart = (policy: JsonObject): boolean => theirs.has(holderOf(policy));
  const blocks = live.map((policy) => (isObject(policy) ? policyBlock(policy) : policy));
  return inAnyCase(besideKnown(blocks, declared, isPart), declared);
};

function holderOf(policy: JsonObject): string {
  const ids = ["object_id", "application_id"].map((name) => attributeText(policy, name) ?? "");
  return ids.join(" ").toLowerCase();
}

function policyBlock({
  tenantId = null,
  objectId = null,
  applicationId = "",
  permissions = null,
}: JsonObject): JsonObject {
  const { certificates, keys, secrets, storage } = isObject(permissions) ? permissions : {};
  return {
    tenant_id: tenantId,
    object_id: objectId,
    application_id: applicationId,
    certificate_permissions: certificates ?? [],
    key_permissions: keys ?? [],
    secret_permissions: secrets ?? [],
    storage_permissions: storage ?? [],
  };
}
