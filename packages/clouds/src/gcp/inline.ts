import type { JsonObject } from "@leeway/shared/values/json";

import type { DeclaredIdentity, DeclaredResource } from "../cloud.ts";
import { declaredEntry } from "./catalog.ts";
import { type Child, grants } from "./iam.ts";
import { declaredIdentity, declaredNames } from "./keys.ts";
import { attribute, blocks } from "./path-template.ts";
import { lastSegment, locationOf, parseName, projectOf } from "./resource-name.ts";

type InlineChild = DeclaredResource & DeclaredIdentity;

/**
 * Returns children that a resource declares inline and that are listed, or declared elsewhere, as separate resources.
 */
export function inlineChildren(resource: DeclaredResource): InlineChild[] {
  return childrenOf(resource).map(({ path, type, attributes }) => {
    const { identity: _, ...inherited } = resource;
    const child = Object.assign(inherited, { address: `${resource.address}.${path}`, type, attributes });
    return Object.assign(child, declaredIdentity(child));
  });
}

function childrenOf({ type, attributes }: DeclaredResource): Child[] {
  const entry = declaredEntry(type);
  const canonical = entry?.terraform[0] ?? "";
  switch (canonical) {
    case "google_container_cluster":
      return nodePools(attributes, declaredNames(attributes, entry)[0]?.path);
    case "google_compute_instance":
      return bootDisks(attributes);
    default:
      return grants(attributes, canonical);
  }
}

function nodePools(attributes: JsonObject, cluster: string | undefined): Child[] {
  if (cluster === undefined) return [];
  return blocks(attributes, "node_pool").flatMap((pool, index) => {
    const name = attribute(pool, "name");
    if (name === undefined) return [];
    const id = `${cluster}/nodePools/${name}`;
    const location = locationOf(cluster);
    const project = projectOf(cluster);
    const parent = {
      cluster: lastSegment(cluster),
      ...(location && { location }),
      ...(project && { project }),
    };
    return {
      path: `node_pool[${index}]`,
      type: "google_container_node_pool",
      attributes: { ...pool, ...parent, id, name },
    };
  });
}

/** Returns the boot disks that an instance creates. A separately declared boot disk looks the same in a state. */
function bootDisks(attributes: JsonObject): Child[] {
  return blocks(attributes, "boot_disk").flatMap((disk, index) => {
    const id = parseName(attribute(disk, "source") ?? "", "compute.googleapis.com")?.path;
    if (id === undefined) return [];
    const zone = locationOf(id);
    const project = projectOf(id);
    const [parameters] = blocks(disk, "initialize_params");
    const own = { id, name: lastSegment(id), ...(zone && { zone }), ...(project && { project }) };
    const path = `boot_disk[${index}]`;
    return { path, type: "google_compute_disk", attributes: { ...parameters, ...own } };
  });
}
