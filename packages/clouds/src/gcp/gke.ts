import { text } from "@leeway/shared/values/json";

import type { ListedResource, MatchKey } from "../cloud.ts";
import { lastSegment, parseName } from "./resource-name.ts";

const CLUSTER = "container.googleapis.com/Cluster";
const NODE_POOL = "container.googleapis.com/NodePool";

const LABELS = ["goog-gke-node", "goog-gke-volume", "goog-k8s-cluster-name"];
const HASH = /^[0-9a-f]{8,16}$/;

/** Reports whether GKE created the resource for a cluster, or a controller in a cluster for its workloads. */
export function isMadeByGke(resource: ListedResource): boolean {
  const { terraform_type, provider_type, tags, name, properties } = resource;
  const type = terraform_type ?? provider_type;
  if (!type.startsWith("compute.googleapis.com/") && !type.startsWith("google_compute_")) return false;
  if (tags !== undefined && LABELS.some((label) => tags[label] !== undefined)) return true;
  if (text(properties, "description")?.startsWith('{"kubernetes.io/')) return true;
  return name !== undefined && isNameOfGke(name);
}

/**
 * Returns ids of a node pool besides its name: the instance groups that it created, which have no labels. {@link
 * poolOfGroup} returns their side of the key.
 */
export function idsOfGke({ provider_type, properties }: ListedResource): string[] {
  const urls = provider_type === NODE_POOL ? properties?.["instanceGroupUrls"] : undefined;
  if (!Array.isArray(urls)) return [];
  return urls.flatMap((url) => {
    const path = typeof url === "string" ? parseName(url)?.path : undefined;
    return path === undefined ? [] : [`made:${path}`];
  });
}

/** Returns the key of the node pool that created the managed instance group with this path. */
export function poolOfGroup(path: string): MatchKey {
  return `3:google_container_node_pool|made:${path}`;
}

/**
 * Returns a cluster's name without its location, as in the names of its
 * firewall rules. {@link clusterNamed} returns their side of the key.
 */
export function naturalNamesOfGke({ provider_type, provider_resource_id }: ListedResource): string[] {
  return provider_type === CLUSTER ? [`|${lastSegment(provider_resource_id)}`] : [];
}

/** Returns the key of the cluster in a firewall rule's or route's name: `gke-<cluster>-<hash>-…`. */
export function clusterNamed(name: string): MatchKey | undefined {
  const [, ...words] = name.split("-");
  const hash = words.findIndex((word, index) => index > 0 && HASH.test(word));
  return isNameOfGke(name) && hash > 0
    ? `4:google_container_cluster||${words.slice(0, hash).join("-")}`
    : undefined;
}

/**
 * Reports whether GKE chose a name: `gke-…-<hash>-…`, or `gk3-…` in
 * Autopilot. Load balancing controllers use `k8s-…`, `k8s1-…` and `k8s2-…`.
 */
export function isNameOfGke(name: string): boolean {
  const [maker = "", ...words] = name.split("-");
  const isMaker = maker === "gke" || maker === "gk3" || /^k8s\d?$/.test(maker);
  return isMaker && words.some((word) => HASH.test(word));
}
