import { isObject, text, type JsonObject } from "@leeway/shared/json";

import type { DeclaredIdentity, DeclaredResource } from "../cloud.ts";
import { azureCatalog } from "./azure-catalog.ts";
import { declaredIdentity } from "./keys.ts";
import { parseResourceId } from "./resource-id.ts";

interface InlineBlock {
  /** The attribute as Terraform, Pulumi and Azure itself call it. */
  names: readonly string[];
  /** What stands between the parent's id and the child's name in the child's id. */
  segment: string;
  type: string;
}

/** By the parent's type: what it declares in blocks of its own although it has an id of its own. */
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
 * Subnets, security rules, routes, frontends and node pools that a resource declares in its own blocks.
 * Azure's providers also fill these blocks with what standalone resources declare: such a child then has
 * the keys of a standalone one in the same state, which goes before it.
 */
export function inlineChildren(parent: DeclaredResource): (DeclaredResource & DeclaredIdentity)[] {
  const id = parseResourceId(text(parent.attributes, "id") ?? "");
  if (id === undefined) return [];
  const found = BLOCKS.get(azureCatalog.byType(id.type)?.type ?? "");
  if (found === undefined) return [];
  return blocks(parent.attributes, found.names).flatMap(([block, attributes]) => {
    const name = text(attributes, "name");
    if (name === undefined) return [];
    const child: DeclaredResource = {
      address: `${parent.address}.${block}[${JSON.stringify(name)}]`,
      ...(parent.module_address !== undefined && { module_address: parent.module_address }),
      type: found.type,
      ...(parent.provider_name !== undefined && { provider_name: parent.provider_name }),
      ...(parent.provider_config !== undefined && { provider_config: parent.provider_config }),
      attributes: { ...attributes, id: `${id.written}/${found.segment}/${name}` },
    };
    return [{ ...child, ...declaredIdentity(child) }];
  });
}

/** The blocks under the first of `names` that the resource has; Pulumi writes a single block without a list. */
function blocks(attributes: JsonObject, names: readonly string[]): [name: string, block: JsonObject][] {
  const name = names.find((candidate) => Object.hasOwn(attributes, candidate));
  const value = name === undefined ? undefined : attributes[name];
  if (name === undefined || value === undefined) return [];
  return [value].flat().flatMap((block) => (isObject(block) ? [[name, block]] : []));
}
