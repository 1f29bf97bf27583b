import type { DeclaredResource, MatchKey } from "../cloud.ts";
import { declaredEntry } from "./catalog.ts";
import { declaredIdentity } from "./keys.ts";
import { attribute } from "./path-template.ts";
import { lastSegment } from "./resource-name.ts";

const ROUTER = "google_compute_router";

/** Keys of the router that has this gateway for address translation, which the inventory shows with it alone. */
export function wholeKeys({ type, attributes }: DeclaredResource): MatchKey[] {
  if (declaredEntry(type)?.terraform[0] !== `${ROUTER}_nat`) return [];
  const [project, region, router] = ["project", "region", "router"].map((name) =>
    attribute(attributes, name),
  );
  if (project === undefined || region === undefined || router === undefined) return [];
  const id = `projects/${project}/regions/${lastSegment(region)}/routers/${lastSegment(router)}`;
  return declaredIdentity({ address: "", type: ROUTER, attributes: { id } }).keys;
}
