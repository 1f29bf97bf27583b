import { member, type JsonObject } from "@leeway/shared/values/json";

import { isReadOfOthers } from "./plan-index.ts";

/**
 * Returns whether a resource is unchanged and not reported on, so that its values may be dropped. This covers most of
 * a large plan. Types whose values affect how other resources are judged are never idle.
 */
export function isIdle(resource: JsonObject): boolean {
  if (isReadOfOthers(resource["type"])) return false;
  const actions = member(resource, "change")?.["actions"];
  return Array.isArray(actions) && actions.every((action) => action === "no-op" || action === "read");
}
