import { text } from "@leeway/shared/json";

import type { ListedResource, MatchKey } from "../cloud.ts";
import { detailsOf } from "./details.ts";
import { parseResourceId } from "./resource-id.ts";

/** How services name the resource groups that they make, in lower case, and how many parts `_` then separates. */
const NAMES = [
  { prefix: "mc_", suffix: "", parts: 4 },
  { prefix: "me_", suffix: "", parts: 4 },
  { prefix: "ma_", suffix: "_managed", parts: 3 },
  { prefix: "ai_", suffix: "_managed", parts: 4 },
  { prefix: "azurebackuprg_", suffix: "", parts: 3 },
  { prefix: "databricks-rg-", suffix: "", parts: 1 },
  { prefix: "synapseworkspace-managedrg-", suffix: "", parts: 1 },
];

/** Tags on what a service makes, wherever it was told to make it. */
const TAGS = ["aks-managed-cluster-name", "databricks-environment"];

/** Where a resource that has a resource group made for itself says which one: by id or by name. */
const MEMBERS: ReadonlyMap<string, string> = new Map([
  ["Microsoft.App/managedEnvironments", "infrastructureResourceGroup"],
  ["Microsoft.ContainerService/managedClusters", "nodeResourceGroup"],
  ["Microsoft.Databricks/workspaces", "managedResourceGroupId"],
  ["Microsoft.Solutions/applications", "managedResourceGroupId"],
  ["Microsoft.Synapse/workspaces", "managedResourceGroupName"],
]);

/** Whether a service made `resource`, by the name of its resource group or by its tags. */
export function isInManagedGroup({ provider_resource_id, tags }: ListedResource): boolean {
  const group = parseResourceId(provider_resource_id)?.resourceGroup;
  return (
    (group !== undefined && isManagedGroupName(group)) ||
    (tags !== undefined && TAGS.some((tag) => Object.hasOwn(tags, tag)))
  );
}

function isManagedGroupName(group: string): boolean {
  const name = NAMES.find(({ prefix, suffix }) => group.startsWith(prefix) && group.endsWith(suffix));
  return name !== undefined && group.split("_").length >= name.parts;
}

/**
 * A key that a resource shares with everything in the resource group which Azure made for it: a cluster
 * with its nodes. No declared resource has it.
 */
export function managedGroupKeys(resource: ListedResource): MatchKey[] {
  const name = MEMBERS.get(resource.provider_type);
  if (name === undefined) return [];
  const group = text(detailsOf(resource.properties), name);
  const subscription = parseResourceId(resource.provider_resource_id)?.subscription;
  if (group === undefined || subscription === undefined) return [];
  return managedGroupKey(
    group.startsWith("/") ? group : `/subscriptions/${subscription}/resourceGroups/${group}`,
  );
}

/** The key of managedGroupKeys for a resource in the group, whose id begins with the group's. */
export function managedGroupKey(id: string): MatchKey[] {
  const { subscription, resourceGroup } = parseResourceId(id) ?? {};
  if (subscription === undefined || resourceGroup === undefined) return [];
  return [`3:managed_resource_group|/subscriptions/${subscription}/resourcegroups/${resourceGroup}`];
}
