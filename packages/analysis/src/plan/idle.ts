import { isObject, member, type Json, type JsonObject } from "@leeway/shared/json";

import { isReadOfOthers } from "../noise/plan-index.ts";

/**
 * A plan in which resources that stay as they are have no values: they are most of a large plan, and nothing is
 * said of them. Those that others are judged by keep theirs. `plan` itself stays as it is.
 */
export function withoutIdleValues(plan: JsonObject): JsonObject {
  const changes = plan["resource_changes"];
  if (!Array.isArray(changes)) return plan;
  return {
    ...plan,
    resource_changes: changes.map((change) => (isIdle(change) ? withoutValues(change) : change)),
  };
}

function isIdle(resource: Json): resource is JsonObject {
  if (!isObject(resource) || isReadOfOthers(resource["type"])) return false;
  const actions = member(resource, "change")?.["actions"];
  return Array.isArray(actions) && actions.every((action) => action === "no-op" || action === "read");
}

function withoutValues(resource: JsonObject): JsonObject {
  const { actions = [], importing } = member(resource, "change") ?? {};
  return { ...resource, change: { actions, ...(importing !== undefined && { importing }) } };
}
