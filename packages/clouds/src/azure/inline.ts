import { isObject, text, type JsonObject } from "@leeway/shared/values/json";

import type { DeclaredIdentity, DeclaredResource } from "../cloud.ts";
import { azureCatalog } from "./azure-catalog.ts";
import { declaredIdentity } from "./keys.ts";
import { parseResourceId, type ResourceId } from "./resource-id.ts";

interface InlineBlock {
  /** Names of the attribute in Terraform, Pulumi and Azure. */
  names: readonly string[];
  /** Segment between the parent's id and the child's name in the child's id. */
  segment: string;
  type: string;
}

/** Blocks that declare resources with ids of their own, by the parent's type. */
const BLOCKS: ReadonlyMap<string, InlineBlock> = new Map([
  [
    "Microsoft.Network/virtualNetworks",
    { names: ["subnet", "subnets"], segment: "subnets", type: "azurerm_subnet" },
  ],
  [
    "Microsoft.Network/networkSecurityGroups",
    {
      names: ["security_rule", "securityRules"],
      segment: "securityRules",
      type: "azurerm_network_security_rule",
    },
  ],
  ["Microsoft.Network/routeTables", { names: ["route", "routes"], segment: "routes", type: "azurerm_route" }],
  [
    "Microsoft.Network/loadBalancers",
    {
      names: ["frontend_ip_configuration", "frontendIpConfigurations", "frontendIPConfigurations"],
      segment: "frontendIPConfigurations",
      type: "Microsoft.Network/loadBalancers/frontendIPConfigurations",
    },
  ],
  [
    "Microsoft.ContainerService/managedClusters",
    {
      names: ["default_node_pool", "defaultNodePool", "agentPoolProfiles"],
      segment: "agentPools",
      type: "azurerm_kubernetes_cluster_node_pool",
    },
  ],
]);

/**
 * Returns subnets, security rules, routes, frontends and node pools that a resource declares in
 * its own blocks. It also returns the copies of databases that a failover group creates on its
 * partner servers. Azure's providers also fill these blocks with standalone resources. Such a
 * child has the same keys as the standalone resource in that state, which takes precedence.
 */
export function inlineChildren(parent: DeclaredResource): (DeclaredResource & DeclaredIdentity)[] {
  const id = parseResourceId(text(parent.attributes, "id") ?? "");
  if (id === undefined) return [];
  return [...inBlocks(parent.attributes, id), ...copies(parent.attributes, id)].map(({ place, ...own }) => {
    const child: DeclaredResource = {
      address: `${parent.address}.${place}`,
      ...(parent.module_address !== undefined && { module_address: parent.module_address }),
      ...(parent.provider_name !== undefined && { provider_name: parent.provider_name }),
      ...(parent.provider_config !== undefined && { provider_config: parent.provider_config }),
      ...own,
    };
    return { ...child, ...declaredIdentity(child) };
  });
}

/** A child, and its place in the parent. */
interface Child {
  place: string;
  type: string;
  attributes: JsonObject;
}

function inBlocks(parent: JsonObject, { type, written }: ResourceId): Child[] {
  const found = BLOCKS.get(azureCatalog.byType(type)?.type ?? "");
  if (found === undefined) return [];
  return blocks(parent, found.names).flatMap(([block, attributes]) => {
    const name = text(attributes, "name");
    if (name === undefined) return [];
    return {
      place: `${block}[${JSON.stringify(name)}]`,
      type: found.type,
      attributes: { ...attributes, id: `${written}/${found.segment}/${name}` },
    };
  });
}

/** Azure's limit for partners of a failover group. Each has a copy of each database. */
const MAX_PARTNERS = 4;

/** Returns the copies of a failover group's databases, which keep their names on every server. */
function copies(parent: JsonObject, { type }: ResourceId): Child[] {
  const { databases } = parent;
  if (azureCatalog.byType(type)?.type !== "Microsoft.Sql/servers/failoverGroups" || !Array.isArray(databases))
    return [];
  const servers = blocks(parent, ["partner_server", "partner_servers", "partnerServers"]).slice(
    0,
    MAX_PARTNERS,
  );
  return servers.flatMap(([block, attributes], index) =>
    databases.flatMap((database) => {
      const name = typeof database === "string" ? parseResourceId(database)?.name : undefined;
      const server = text(attributes, "id");
      if (name === undefined || server === undefined) return [];
      const id = `${server}/databases/${name}`;
      return { place: `${block}[${index}].${name}`, type: "azurerm_mssql_database", attributes: { id } };
    }),
  );
}

/** Returns the blocks under the first of `names` that exists. Pulumi writes a single block without a list. */
function blocks(attributes: JsonObject, names: readonly string[]): [name: string, block: JsonObject][] {
  const name = names.find((candidate) => Object.hasOwn(attributes, candidate));
  const value = name === undefined ? undefined : attributes[name];
  if (name === undefined || value === undefined) return [];
  return [value].flat().flatMap((block) => (isObject(block) ? [[name, block]] : []));
}
