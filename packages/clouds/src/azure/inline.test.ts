import { describe, expect, test } from "bun:test";

import type { DeclaredResource } from "../cloud.ts";
import { inlineChildren } from "./inline.ts";
import { declaredIdentity, liveKeys } from "./keys.ts";

const GROUP = "/subscriptions/1/resourceGroups/shop/providers";
const NETWORK = `${GROUP}/Microsoft.Network`;

function declared(type: string, attributes: DeclaredResource["attributes"]): DeclaredResource {
  return { address: `${type}.main`, type, attributes };
}

describe("an inline block declares a separately listed resource", () => {
  test.each([
    [
      "a subnet by its id",
      "azurerm_virtual_network",
      {
        id: `${NETWORK}/virtualNetworks/v`,
        subnet: [{ name: "a", id: `${NETWORK}/virtualNetworks/v/subnets/a` }],
      },
      `${NETWORK}/virtualNetworks/v/subnets/a`,
    ],
    [
      "a security rule by its name",
      "azurerm_network_security_group",
      { id: `${NETWORK}/networkSecurityGroups/n`, security_rule: [{ name: "ssh", priority: 100 }] },
      `${NETWORK}/networkSecurityGroups/n/securityRules/ssh`,
    ],
    [
      "a route",
      "azurerm_route_table",
      { id: `${NETWORK}/routeTables/r`, route: [{ name: "out" }] },
      `${NETWORK}/routeTables/r/routes/out`,
    ],
    [
      "a load balancer's frontend",
      "azurerm_lb",
      {
        id: `${NETWORK}/loadBalancers/l`,
        frontend_ip_configuration: [
          { name: "f", id: `${NETWORK}/loadBalancers/l/frontendIPConfigurations/f` },
        ],
      },
      `${NETWORK}/loadBalancers/l/frontendIPConfigurations/f`,
    ],
    [
      "a database copy on the partner of a failover group",
      "azurerm_mssql_failover_group",
      {
        id: `${GROUP}/Microsoft.Sql/servers/west/failoverGroups/f`,
        databases: [`${GROUP}/Microsoft.Sql/servers/west/databases/orders`],
        partner_server: [{ id: `${GROUP}/Microsoft.Sql/servers/north`, location: "northeurope" }],
      },
      `${GROUP}/Microsoft.Sql/servers/north/databases/orders`,
    ],
    [
      "a default node pool",
      "azurerm_kubernetes_cluster",
      {
        id: `${GROUP}/Microsoft.ContainerService/managedClusters/c`,
        default_node_pool: [{ name: "system" }],
      },
      `${GROUP}/Microsoft.ContainerService/managedClusters/c/agentPools/system`,
    ],
    [
      "Pulumi's single node pool",
      "azure:containerservice/kubernetesCluster:KubernetesCluster",
      { id: `${GROUP}/Microsoft.ContainerService/managedClusters/c`, defaultNodePool: { name: "system" } },
      `${GROUP}/Microsoft.ContainerService/managedClusters/c/agentPools/system`,
    ],
    [
      "a subnet in Pulumi's native provider",
      "azure-native:network:VirtualNetwork",
      {
        id: `${NETWORK}/virtualNetworks/v`,
        subnets: [{ name: "a", id: `${NETWORK}/virtualNetworks/v/subnets/a` }],
      },
      `${NETWORK}/virtualNetworks/v/subnets/a`,
    ],
  ])("%s", (_, type, attributes, childId) => {
    const [child, ...others] = inlineChildren(declared(type, attributes));
    expect(others).toEqual([]);
    expect(child?.keys).toEqual(
      liveKeys({ provider_resource_id: childId, provider_type: "", complete: false }),
    );
    expect(child?.account).toBe("1");
  });

  test("with its parent's address, module and provider, and its own attributes", () => {
    const parent: DeclaredResource = {
      ...declared("azurerm_route_table", {
        id: `${NETWORK}/routeTables/r`,
        route: [{ name: "out", next_hop_type: "Internet" }],
      }),
      module_address: "module.net",
      provider_name: "registry.terraform.io/hashicorp/azurerm",
      provider_config: "azurerm.eu",
      identity: { name: "r" },
    };
    expect(inlineChildren(parent)).toEqual([
      {
        address: 'azurerm_route_table.main.route["out"]',
        module_address: "module.net",
        type: "azurerm_route",
        provider_name: "registry.terraform.io/hashicorp/azurerm",
        provider_config: "azurerm.eu",
        attributes: { name: "out", next_hop_type: "Internet", id: `${NETWORK}/routeTables/r/routes/out` },
        keys: [`2:${NETWORK.toLowerCase()}/routetables/r/routes/out`],
        account: "1",
      },
    ]);
  });

  test("with the keys of a standalone resource", () => {
    const id = `${NETWORK}/networkSecurityGroups/n`;
    const [inline] = inlineChildren(
      declared("azurerm_network_security_group", { id, security_rule: [{ name: "SSH" }] }),
    );
    const standalone = declared("azurerm_network_security_rule", { id: `${id}/securityRules/ssh` });
    expect(inline?.keys).toEqual(declaredIdentity(standalone).keys);
  });
});

test.each([
  ["no id", { route: [{ name: "out" }] }],
  ["no blocks", { id: `${NETWORK}/routeTables/r` }],
  ["blocks without names", { id: `${NETWORK}/routeTables/r`, route: [{}, null, "out"] }],
])("a resource with %s has no children", (_, attributes) => {
  expect(inlineChildren(declared("azurerm_route_table", attributes))).toEqual([]);
});

const server = (name: string): string => `${GROUP}/Microsoft.Sql/servers/${name}`;

test("a failover group has at most four partner copies", () => {
  const group = declared("azurerm_mssql_failover_group", {
    id: `${server("west")}/failoverGroups/f`,
    databases: [`${server("west")}/databases/orders`],
    partner_server: Array.from({ length: 50 }, (_, index) => ({ id: server(`partner${index}`) })),
  });
  expect(inlineChildren(group)).toHaveLength(4);
});
