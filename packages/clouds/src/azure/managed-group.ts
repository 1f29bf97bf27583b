import { text } from "@leeway/shared/values/json";

import type { ListedResource, MatchKey } from "../cloud.ts";
import { detailsOf } from "./details.ts";
import { parseResourceId } from "./resource-id.ts";

/** Names of resource groups that services create, in lower case, and the min number of parts between `_`. */
const NAMES = [
  { prefix: "mc_", suffix: "", parts: 4 },
  { prefix: "me_", suffix: "", parts: 4 },
  { prefix: "ma_", suffix: "_managed", parts: 3 },
  { prefix: "ai_", suffix: "_managed", parts: 4 },
  { prefix: "azurebackuprg_", suffix: "", parts: 3 },
  { prefix: "databricks-rg-", suffix: "", parts: 1 },
  { prefix: "synapseworkspace-managedrg-", suffix: "", parts: 1 },
];

/** Tags on resources that a service creates, in any resource group. */
const TAGS = ["aks-managed-cluster-name", "databricks-environment"];

/** Members in which a service's resource names, by id or name, the group that it had created. */
const MEMBERS: ReadonlyMap<string, string> = new Map([
  ["Microsoft.App/managedEnvironments", "infrastructureResourceGroup"],
  ["Microsoft.ContainerService/managedClusters", "nodeResourceGroup"],
  ["Microsoft.Databricks/workspaces", "managedResourceGroupId"],
  ["Microsoft.Solutions/applications", "managedResourceGroupId"],
  ["Microsoft.Synapse/workspaces", "managedResourceGroupName"],
]);

/** Reports whether a service created `resource`, judging by its resource group's name or its tags. */
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
 * Returns a key that a resource shares with everything in the resource group that Azure created for it, such as a
 * cluster with its nodes. No declared resource has this key.
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

/** Returns the key of `managedGroupKeys` for a resource in the group, whose id begins with the group's. */
export function managedGroupKey(id: string): MatchKey[] {
  const { subscription, resourceGroup } = parseResourceId(id) ?? {};
  if (subscription === undefined || resourceGroup === undefined) return [];
  return [`3:managed_resource_group|/subscriptions/${subscription}/resourcegroups/${resourceGroup}`];
}
