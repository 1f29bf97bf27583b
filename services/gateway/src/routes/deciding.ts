import type { Actor } from "@leeway/shared/contracts/common";
import { AppError } from "@leeway/shared/values/errors";
import { isObject } from "@leeway/shared/values/json";

import { actorOf } from "../auth/caller.ts";
import { reaches } from "../auth/roles.ts";
import type { Call } from "../http/endpoint.ts";

/** Returns the author of a decision, and whether it leaves ignored changes as they are. */
export function authorOf(call: Call): { decided_by: Actor; keeps_ignored?: true } {
  const mayIgnore = reaches(call.caller.roles.get(call.orgId) ?? "viewer", "admin");
  refuseUnlessMay(call, mayIgnore);
  return { decided_by: actorOf(call.caller), ...(!mayIgnore && { keeps_ignored: true }) };
}

/** Checks the right to a decision. @throws {AppError} `forbidden` for a member whose decision would change the risk */
function refuseUnlessMay({ body }: Call, mayIgnore: boolean): void {
  if (mayIgnore || (isObject(body) && body["status"] === "acknowledged")) return;
  throw new AppError("forbidden", "ignoring or reopening a change requires the role admin or above");
}
