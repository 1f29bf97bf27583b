import { member, type JsonObject } from "@leeway/shared/json";

import { isReadOfOthers } from "../noise/plan-index.ts";

/**
 * Whether a resource stays as it is and nothing is said of it, so that its values needn't be known: such are most of a
 * large plan. Others are judged by the values of some, which aren't idle.
 */
export function isIdle(resource: JsonObject): boolean {
  if (isReadOfOthers(resource["type"])) return false;
  const actions = member(resource, "change")?.["actions"];
  return Array.isArray(actions) && actions.every((action) => action === "no-op" || action === "read");
}
