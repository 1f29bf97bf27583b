import { member, members, text } from "@leeway/shared/values/json";

import type { ListedResource, MatchKey } from "../cloud.ts";
import { catalog } from "./catalog.ts";
import { clusterNamed, isNameOfGke, poolOfGroup } from "./gke.ts";
import {
  fullName,
  inProject,
  isNumber,
  lastSegment,
  parseName,
  projectOf,
  resourceName,
} from "./resource-name.ts";
import { makersOf } from "./transports.ts";

/** The owner's asset type and path. The resource's own project replaces the one in the path. */
interface Owner {
  type: string;
  path: string;
}

type Labels = Record<string, string>;

/** Owners from labels, which services put on everything that they create. */
const BY_LABELS: readonly ((labels: Labels) => Owner | undefined)[] = [
  ofGke,
  labelled("dataproc.googleapis.com/Cluster", "clusters", [
    "goog-dataproc-cluster-name",
    "goog-dataproc-location",
  ]),
  labelled("composer.googleapis.com/Environment", "environments", [
    "goog-composer-environment",
    "goog-composer-location",
  ]),
];

/** Keys that need no owner path, by asset type. */
const KEYS_BY_TYPE = new Map<string, (name: string, path: string) => MatchKey | undefined>([
  ["compute.googleapis.com/Firewall", clusterNamed],
  ["compute.googleapis.com/Route", clusterNamed],
  ["compute.googleapis.com/InstanceGroup", poolOfNamedGroup],
  ["compute.googleapis.com/InstanceGroupManager", poolOfNamedGroup],
]);

/** Owners from a resource's own properties, by asset type. */
const BY_TYPE = new Map<string, (resource: ListedResource, path: string) => Owner | undefined>([
  ["compute.googleapis.com/Instance", managerOfInstance],
  ["compute.googleapis.com/InstanceGroup", managerOfGroup],
  ["compute.googleapis.com/Disk", instanceOfBootDisk],
  ["compute.googleapis.com/Subnetwork", networkOfAutomaticSubnetwork],
  ["container.googleapis.com/NodePool", clusterOfAutomaticPool],
  ["run.googleapis.com/Service", functionOfService],
  [
    "bigtableadmin.googleapis.com/Cluster",
    (_, path) => partOf("bigtableadmin.googleapis.com/Instance", path),
  ],
  [
    "secretmanager.googleapis.com/SecretVersion",
    (_, path) => partOf("secretmanager.googleapis.com/Secret", path),
  ],
  [
    "cloudkms.googleapis.com/CryptoKeyVersion",
    (_, path) => partOf("cloudkms.googleapis.com/CryptoKey", path),
  ],
]);

/** Returns keys, most reliable first, of the declared resource that created this one. */
export function ownerKeys(resource: ListedResource, account: string): MatchKey[] {
  if (resource.parent_id !== undefined) {
    const parent = parseName(resource.parent_id);
    return parent === undefined ? [] : [`2:${fullName(parent)}`];
  }
  const path = parseName(resource.provider_resource_id)?.path;
  if (path === undefined) return [];
  const key = directKey(resource, path);
  if (key !== undefined) return [key];
  const makers = makersOf(resource, path);
  if (makers.length > 0) return makers;
  const owner = ownerByLabels(resource.tags) ?? BY_TYPE.get(resource.provider_type)?.(resource, path);
  return owner === undefined ? [] : keysOf(owner, path, account);
}

function directKey({ provider_type, tags, name = "" }: ListedResource, path: string): MatchKey | undefined {
  const job = tags?.["goog-dataflow-job-id"];
  return job ? `3:google_dataflow_job|${job}` : KEYS_BY_TYPE.get(provider_type)?.(name, path);
}

function ownerByLabels(labels: Labels | undefined): Owner | undefined {
  if (labels === undefined) return undefined;
  for (const rule of BY_LABELS) {
    const owner = rule(labels);
    if (owner !== undefined) return owner;
  }
  return undefined;
}

function keysOf({ type, path }: Owner, ownPath: string, account: string): MatchKey[] {
  const project = projectOf(ownPath) ?? account;
  const named = resourceName(type.slice(0, type.indexOf("/")), inProject(path, project));
  if (named.path === ownPath) return [];
  const byId = inProject(named.path, isNumber(project) ? account : project);
  return [`2:${fullName(named)}`, `3:${catalog.byType(type)?.terraform[0] ?? type}|${byId}`];
}

function ofGke(labels: Labels): Owner | undefined {
  const cluster = labels["goog-k8s-cluster-name"];
  const location = labels["goog-k8s-cluster-location"];
  if (!cluster || !location) return undefined;
  const path = `projects/-/locations/${location}/clusters/${cluster}`;
  const pool = labels["goog-k8s-node-pool-name"];
  return pool
    ? { type: "container.googleapis.com/NodePool", path: `${path}/nodePools/${pool}` }
    : { type: "container.googleapis.com/Cluster", path };
}

function labelled(type: string, collection: string, [nameLabel, locationLabel]: readonly [string, string]) {
  return (labels: Labels): Owner | undefined => {
    const name = labels[nameLabel];
    const location = labels[locationLabel];
    return name && location
      ? { type, path: `projects/-/locations/${location}/${collection}/${name}` }
      : undefined;
  };
}

function poolOfNamedGroup(name: string, path: string): MatchKey | undefined {
  return isNameOfGke(name) ? poolOfGroup(managerPath(path)) : undefined;
}

/** Returns the manager that an instance's metadata names as its creator. */
function managerOfInstance({ properties }: ListedResource): Owner | undefined {
  const items = members(member(properties, "metadata"), "items");
  const path = text(
    items.find((item) => item["key"] === "created-by"),
    "value",
  );
  return path?.includes("/instanceGroupManagers/")
    ? { type: "compute.googleapis.com/InstanceGroupManager", path }
    : undefined;
}

function managerOfGroup({ properties }: ListedResource, path: string): Owner | undefined {
  return text(properties, "description")?.startsWith("This instance group is controlled by ")
    ? { type: "compute.googleapis.com/InstanceGroupManager", path: managerPath(path) }
    : undefined;
}

function managerPath(path: string): string {
  return path.replace("/instanceGroups/", "/instanceGroupManagers/");
}

/**
 * Returns the instance of a boot disk with the same name, which was
 * created with it. Other disks are declared separately.
 */
function instanceOfBootDisk({ properties }: ListedResource, path: string): Owner | undefined {
  const users = properties?.["users"];
  const user = Array.isArray(users) && users.length === 1 ? users[0] : undefined;
  const instance = typeof user === "string" ? parseName(user)?.path : undefined;
  return instance !== undefined && lastSegment(instance) === lastSegment(path)
    ? { type: "compute.googleapis.com/Instance", path: instance }
    : undefined;
}

/**
 * Returns the network of a subnetwork that auto mode creates: with the
 * network's name, one per region, from 10.128.0.0/9.
 */
function networkOfAutomaticSubnetwork({ properties }: ListedResource, path: string): Owner | undefined {
  const range = /^10\.(\d{3})\.\d{1,3}\.0\/20$/.exec(text(properties, "ipCidrRange") ?? "");
  const network = parseName(text(properties, "network") ?? "")?.path;
  return Number(range?.[1]) >= 128 && network !== undefined && lastSegment(network) === lastSegment(path)
    ? { type: "compute.googleapis.com/Network", path: network }
    : undefined;
}

function clusterOfAutomaticPool({ properties }: ListedResource, path: string): Owner | undefined {
  return member(properties, "autoscaling")?.["autoprovisioned"] === true
    ? partOf("container.googleapis.com/Cluster", path)
    : undefined;
}

/** Returns the second-generation function that runs as a service with the same name. */
function functionOfService({ tags }: ListedResource, path: string): Owner | undefined {
  return tags?.["goog-managed-by"] === "cloudfunctions"
    ? { type: "cloudfunctions.googleapis.com/Function", path: path.replace("/services/", "/functions/") }
    : undefined;
}

/** Returns the owner whose path is the resource's own without the last collection and id. */
function partOf(type: string, path: string): Owner {
  return { type, path: path.split("/").slice(0, -2).join("/") };
}
