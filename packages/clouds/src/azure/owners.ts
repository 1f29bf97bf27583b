import { member, text, type JsonObject } from "@leeway/shared/values/json";

import type { ListedResource, MatchKey } from "../cloud.ts";
import { detailsOf } from "./details.ts";
import { isInManagedGroup, managedGroupKey } from "./managed-group.ts";
import { parseResourceId } from "./resource-id.ts";

/** Azure truncates longer resource group names, so the cluster can't be derived from them. */
const MAX_GROUP_LENGTH = 80;

/** Returns keys of the resource that created this one and whose declaration covers it. */
export function ownerKeys(resource: ListedResource): MatchKey[] {
  const makers = [resource.parent_id, scaleSet(resource.provider_resource_id), maker(resource)];
  return [...new Set([...makers.flatMap(idKey), ...groupKeys(resource)])];
}

function idKey(id: string | undefined): MatchKey[] {
  const parsed = id === undefined ? undefined : parseResourceId(id);
  return parsed === undefined ? [] : [`2:${parsed.canonical}`];
}

/** Returns the creator that a payload names, by type. */
const MAKERS: ReadonlyMap<
  string,
  (row: JsonObject, details: JsonObject, name: string) => string | undefined
> = new Map([
  ["Microsoft.Compute/disks", diskMaker],
  [
    "Microsoft.Compute/virtualMachines",
    (_, details) => text(member(details, "virtualMachineScaleSet"), "id"),
  ],
  [
    "Microsoft.Network/networkInterfaces",
    (_, details) =>
      text(member(details, "privateEndpoint"), "id") ?? text(member(details, "privateLinkService"), "id"),
  ],
  // A registry declares its replications in its own blocks, and has one in its own region.
  [
    "Microsoft.ContainerRegistry/registries/replications",
    (row) => text(row, "id")?.replace(/\/replications\/[^/]+$/i, ""),
  ],
  ["Microsoft.Resources/subscriptions/resourceGroups", (row) => text(row, "managedBy")],
]);

function maker({ provider_type, properties = {}, name = "" }: ListedResource): string | undefined {
  return MAKERS.get(provider_type)?.(properties, detailsOf(properties), name);
}

/**
 * Returns the creator of a disk. `managedBy` names its user, but only
 * system disks and disks of scale sets are created with their user.
 */
function diskMaker(row: JsonObject, details: JsonObject, name: string): string | undefined {
  const user = text(row, "managedBy");
  const isSystemDisk = text(details, "osType") !== undefined || /_osdisk_/i.test(name);
  return scaleSet(user) ?? (isSystemDisk ? user : undefined);
}

const INSTANCE = /^(\/?subscriptions\/.+\/virtualMachineScaleSets\/[^/]+)\/virtualMachines\//i;

/** Returns the scale set in the id of an instance, or of a resource that belongs to one. */
function scaleSet(id: string | undefined): string | undefined {
  return id === undefined ? undefined : INSTANCE.exec(id)?.[1];
}

/**
 * Returns keys of the service whose resource group contains this resource. A group may have any name and untagged
 * content, so the service's own resource is the only reliable link.
 */
function groupKeys(resource: ListedResource): MatchKey[] {
  const clusters = isInManagedGroup(resource) ? clusterKeys(resource) : [];
  return [...clusters, ...managedGroupKey(resource.provider_resource_id)];
}

/**
 * Returns keys of the AKS cluster that a resource belongs to, from its tags or from the node
 * resource group's name, `MC_{group}_{cluster}_{location}`. With underscores in names there
 * are several readings. Clusters never share a node group, so at most one reading exists.
 */
function clusterKeys({ provider_resource_id, tags }: ListedResource): MatchKey[] {
  const { subscription, resourceGroup = "" } = parseResourceId(provider_resource_id) ?? {};
  if (subscription === undefined) return [];
  return clusterNames(resourceGroup, tags ?? {}).map(
    ([group, cluster]): MatchKey =>
      `2:/subscriptions/${subscription}/resourcegroups/${group}/providers/microsoft.containerservice/managedclusters/${cluster}`,
  );
}

function clusterNames(
  nodeGroup: string,
  tags: Record<string, string>,
): (readonly [group: string, name: string])[] {
  const [name, group] = [tags["aks-managed-cluster-name"], tags["aks-managed-cluster-rg"]];
  if (name !== undefined && group !== undefined) return [[group.toLowerCase(), name.toLowerCase()]];
  const [prefix, ...parts] = nodeGroup.split("_");
  if (prefix !== "mc" || nodeGroup.length >= MAX_GROUP_LENGTH) return [];
  const names = parts.slice(0, -1);
  return names.slice(1).map((_, at) => [names.slice(0, at + 1).join("_"), names.slice(at + 1).join("_")]);
}
