import type { JsonObject } from "@leeway/shared/values/json";

import type { CatalogEntry } from "../catalog.ts";
import type { DeclaredResource, MatchKey } from "../cloud.ts";
import { declaredEntry } from "./catalog.ts";
import { grantedOn, grantTypes } from "./iam.ts";
import { declaredIdentity } from "./keys.ts";
import { attribute } from "./path-template.ts";
import { fullName, lastSegment, resourceName } from "./resource-name.ts";

/** Paths of resources that contain a declared part. The inventory shows the part only inside them. */
const WHOLES: ReadonlyMap<string, (attributes: JsonObject) => string | undefined> = new Map([
  ["google_compute_router_nat", routerOf],
  ["google_compute_project_metadata", projectOf],
  ["google_compute_project_metadata_item", projectOf],
]);

/** Returns keys of the resource that contains this part. */
export function wholeKeys(resource: DeclaredResource): MatchKey[] {
  const { type, attributes } = resource;
  const granted = grantTypes(type)?.resource;
  if (granted) return keysOfGranted(resource, granted);
  const path = WHOLES.get(declaredEntry(type)?.terraform[0] ?? type)?.(attributes);
  return path === undefined ? [] : [`2:${fullName(resourceName("compute.googleapis.com", path))}`];
}

/**
 * Returns keys of the resource that a role is granted on, as if it were
 * declared. Names that are unique only within a project aren't sufficient.
 */
function keysOfGranted({ address, attributes }: DeclaredResource, { terraform }: CatalogEntry): MatchKey[] {
  const [type = ""] = terraform;
  const on = grantedOn(attributes);
  if (on === undefined) return [];
  const id =
    type === "google_project" && !on.startsWith("projects/") ? `projects/${on}` : on.replace(/^v1\//, "");
  const own = { ...attributes, id, name: lastSegment(id) };
  return declaredIdentity({ address, type, attributes: own }).keys.filter((key) => !key.startsWith("4:"));
}

function routerOf(attributes: JsonObject): string | undefined {
  const [region, router] = ["region", "router"].map((name) => attribute(attributes, name));
  const project = projectOf(attributes);
  return project === undefined || region === undefined || router === undefined
    ? undefined
    : `${project}/regions/${lastSegment(region)}/routers/${lastSegment(router)}`;
}

function projectOf(attributes: JsonObject): string | undefined {
  const project = attribute(attributes, "project");
  return project === undefined ? undefined : `projects/${project}`;
}
