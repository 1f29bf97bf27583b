import type { JsonObject } from "@leeway/shared/json";

import type { DeclaredResource, MatchKey } from "../cloud.ts";
import { declaredEntry } from "./catalog.ts";
import { attribute } from "./path-template.ts";
import { fullName, lastSegment, resourceName } from "./resource-name.ts";

/** Paths of what has a declared resource as a part, which the inventory shows with it alone. */
const WHOLES: ReadonlyMap<string, (attributes: JsonObject) => string | undefined> = new Map([
  ["google_compute_router_nat", routerOf],
  ["google_compute_project_metadata", projectOf],
  ["google_compute_project_metadata_item", projectOf],
]);

/** Keys of the resource that has this one as a part. */
export function wholeKeys({ type, attributes }: DeclaredResource): MatchKey[] {
  const path = WHOLES.get(declaredEntry(type)?.terraform[0] ?? type)?.(attributes);
  return path === undefined ? [] : [`2:${fullName(resourceName("compute.googleapis.com", path))}`];
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
