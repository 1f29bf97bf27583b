import { member, text, type JsonObject } from "@leeway/shared/json";

import type { ListedResource, MatchKey } from "../cloud.ts";
import { detailsOf } from "./details.ts";
import { isInManagedGroup, managedGroupKey } from "./managed-group.ts";
import { parseResourceId } from "./resource-id.ts";

/** Azure cuts longer names of resource groups off, so that they tell nothing of the cluster. */
const MAX_GROUP_LENGTH = 80;

/** Keys of the resource that made this one, and whose declaration declares it too. */
export function ownerKeys(resource: ListedResource): MatchKey[] {
  const makers = [resource.parent_id, scaleSet(resource.provider_resource_id), maker(resource)];
  return [...new Set([...makers.flatMap(idKey), ...groupKeys(resource)])];
}

function idKey(id: string | undefined): MatchKey[] {
  const parsed = id === undefined ? undefined : parseResourceId(id);
  return parsed === undefined ? [] : [`2:${parsed.canonical}`];
}

/** By type: the resource that the payload names as the maker. */
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
  // A registry declares its replications in blocks of its own, and has one in its own region.
  [
    "Microsoft.ContainerRegistry/registries/replications",
    (row) => text(row, "id")?.replace(/\/replications\/[^/]+$/i, ""),
  ],
  ["Microsoft.Resources/subscriptions/resourceGroups", (row) => text(row, "managedBy")],
]);

function maker({ provider_type, properties = {}, name = "" }: ListedResource): string | undefined {
  return MAKERS.get(provider_type)?.(properties, detailsOf(properties), name);
}

/** `managedBy` says who uses a disk; only a system disk, and any disk of a scale set, is made with its user. */
function diskMaker(row: JsonObject, details: JsonObject, name: string): string | undefined {
  const user = text(row, "managedBy");
  const isSystemDisk = text(details, "osType") !== undefined || /_osdisk_/i.test(name);
  return scaleSet(user) ?? (isSystemDisk ? user : undefined);
}

const INSTANCE = /^(\/?subscriptions\/.+\/virtualMachineScaleSets\/[^/]+)\/virtualMachines\//i;

/** The scale set of an instance, or of what belongs to an instance, by its id. */
function scaleSet(id: string | undefined): string | undefined {
  return id === undefined ? undefined : INSTANCE.exec(id)?.[1];
}

/** A group that a service made may have any name, and what is in it no tag: only the service's resource names the group. */
function groupKeys(resource: ListedResource): MatchKey[] {
  const clusters = isInManagedGroup(resource) ? clusterKeys(resource) : [];
  return [...clusters, ...managedGroupKey(resource.provider_resource_id)];
}

/**
 * The AKS cluster that a resource works for: by its tags, else by the name of the node resource group,
 * `MC_{group}_{cluster}_{location}`. Where names hold underscores too it may be read in several ways, but
 * two clusters never share a node resource group, so that one of them exists at most.
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
