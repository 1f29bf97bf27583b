import { expect, test } from "bun:test";

import type { JsonObject } from "@leeway/shared/values/json";

import type { ListedResource } from "../cloud.ts";
import { liveKeys } from "./keys.ts";
import { ownerKeys } from "./owners.ts";
import { readPage } from "./page.fixture.ts";

const GROUP = "/subscriptions/1/resourceGroups/shop";
const MACHINE = `${GROUP}/providers/Microsoft.Compute/virtualMachines/v`;
const SCALE_SET = `${GROUP}/providers/Microsoft.Compute/virtualMachineScaleSets/set`;
const CLUSTER = `${GROUP}/providers/Microsoft.ContainerService/managedClusters/my_aks`;
const WORKSPACE = `${GROUP}/providers/Microsoft.Databricks/workspaces/lake`;
const ENDPOINT = `${GROUP}/providers/Microsoft.Network/privateEndpoints/e`;
const NODES = "/subscriptions/1/resourceGroups/MC_shop_my_aks_westeurope";

function keysFrom(row: JsonObject, keys: (resource: ListedResource) => string[]): string[] {
  return (readPage({ value: [row] }) ?? []).flatMap((resource) => keys(resource));
}

function owns(owner: JsonObject, child: JsonObject): boolean {
  const keys = new Set(keysFrom(owner, liveKeys));
  return keysFrom(child, ownerKeys).some((key) => keys.has(key));
}

test.each([
  [
    "a VM owns its system disk, in az disk list format",
    { id: MACHINE },
    { id: `${GROUP}/providers/Microsoft.Compute/disks/d`, managedBy: MACHINE, osType: "Linux" },
  ],
  [
    "a VM owns its system disk",
    { id: MACHINE },
    {
      id: `${GROUP}/providers/Microsoft.Compute/disks/d`,
      managedBy: MACHINE,
      properties: { osType: "Linux" },
    },
  ],
  [
    "a VM owns its system disk, recognized by its name",
    { id: MACHINE },
    { id: `${GROUP}/providers/Microsoft.Compute/disks/v_OsDisk_1_ab12`, managedBy: MACHINE },
  ],
  ["a scale set owns its instances", { id: SCALE_SET }, { id: `${SCALE_SET}/virtualMachines/0` }],
  [
    "a scale set owns its instances' network interfaces",
    { id: SCALE_SET },
    { id: `${SCALE_SET}/virtualMachines/0/networkInterfaces/nic` },
  ],
  [
    "a scale set owns all disks of its instances",
    { id: SCALE_SET },
    { id: `${GROUP}/providers/Microsoft.Compute/disks/d`, managedBy: `${SCALE_SET}/virtualMachines/0` },
  ],
  [
    "a flexible scale set owns its VMs",
    { id: SCALE_SET },
    { id: MACHINE, properties: { virtualMachineScaleSet: { id: SCALE_SET } } },
  ],
  [
    "a private endpoint owns its network interface",
    { id: ENDPOINT },
    {
      id: `${GROUP}/providers/Microsoft.Network/networkInterfaces/n`,
      properties: { privateEndpoint: { id: ENDPOINT } },
    },
  ],
  ["a cluster owns its node resource group", { id: CLUSTER }, { id: NODES, managedBy: CLUSTER }],
  [
    "a cluster owns the contents of its node resource group",
    { id: CLUSTER },
    { id: `${NODES}/providers/Microsoft.Network/loadBalancers/kubernetes` },
  ],
  [
    "a cluster owns tagged resources in any group",
    { id: CLUSTER },
    {
      id: `${GROUP}/providers/Microsoft.Compute/disks/d`,
      tags: { "aks-managed-cluster-name": "my_aks", "aks-managed-cluster-rg": "shop" },
    },
  ],
  [
    "a cluster owns tagged nodes in a custom node resource group",
    { id: CLUSTER, properties: { nodeResourceGroup: "Nodes" } },
    {
      id: "/subscriptions/1/resourceGroups/nodes/providers/Microsoft.Compute/disks/d",
      tags: { "aks-managed-cluster-name": "renamed" },
    },
  ],
  [
    "a cluster owns untagged nodes in a custom node resource group",
    { id: CLUSTER, properties: { nodeResourceGroup: "nodes" } },
    {
      id: "/subscriptions/1/resourceGroups/nodes/providers/Microsoft.Compute/virtualMachineScaleSets/aks-a-1-vmss",
    },
  ],
  [
    "a managed application owns its group",
    {
      id: `${GROUP}/providers/Microsoft.Solutions/applications/a`,
      properties: { managedResourceGroupId: "/subscriptions/1/resourceGroups/app" },
    },
    { id: "/subscriptions/1/resourceGroups/app" },
  ],
  [
    "a registry owns its replications",
    { id: `${GROUP}/providers/Microsoft.ContainerRegistry/registries/r` },
    { id: `${GROUP}/providers/Microsoft.ContainerRegistry/registries/r/replications/northeurope` },
  ],
  [
    "a Databricks workspace owns its managed group",
    {
      id: WORKSPACE,
      properties: { managedResourceGroupId: "/subscriptions/1/resourceGroups/databricks-rg-lake-1" },
    },
    {
      id: "/subscriptions/1/resourceGroups/databricks-rg-lake-1/providers/Microsoft.Network/virtualNetworks/workers-vnet",
    },
  ],
])("%s", (_, owner, child) => {
  expect(owns(owner, child)).toBeTrue();
});

test.each([
  [
    "a data disk, which is declared separately",
    { id: `${GROUP}/providers/Microsoft.Compute/disks/data`, managedBy: MACHINE, properties: {} },
  ],
  [
    "the network interface of a VM",
    {
      id: `${GROUP}/providers/Microsoft.Network/networkInterfaces/n`,
      properties: { virtualMachine: { id: MACHINE } },
    },
  ],
  ["a VM", { id: MACHINE }],
  ["a resource group", { id: GROUP }],
])("nothing owns %s, except a service that manages its group", (_, row) => {
  expect(keysFrom(row, ownerKeys)).toEqual(["3:managed_resource_group|/subscriptions/1/resourcegroups/shop"]);
});

test("a row's parent id comes before other owners", () => {
  const keys = ownerKeys({
    provider_resource_id: `${SCALE_SET}/virtualMachines/0`,
    provider_type: "x",
    complete: false,
    parent_id: MACHINE,
  });
  expect(keys.slice(0, 2)).toEqual([`2:${MACHINE.toLowerCase()}`, `2:${SCALE_SET.toLowerCase()}`]);
});
