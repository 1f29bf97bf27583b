import type { Actor } from "@leeway/shared/contracts/common";

import type { Role } from "./roles.ts";

/** Who calls, and what they may do where. */
export interface Caller {
  type: Actor["type"] | "anonymous";
  id: string;
  /** Role by organization; a key has one. */
  roles: ReadonlyMap<string, Role>;
}

export const ANONYMOUS: Caller = { type: "anonymous", id: "", roles: new Map() };
export const OPERATOR: Caller = { type: "operator", id: "operator", roles: new Map() };

/** The caller as other services and the audit log name it. */
export function actorOf({ type, id }: Caller): Actor {
  if (type === "anonymous") throw new Error("nobody has been authenticated here");
  return { type, id };
}
