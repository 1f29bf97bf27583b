import type { Actor, SpeaksFor } from "@leeway/shared/contracts/common";

import type { Role } from "./roles.ts";

/** Caller, with its role in each organization. */
export interface Caller {
  type: Actor["type"] | "anonymous";
  id: string;
  /** Roles by organization; a key has one. */
  roles: ReadonlyMap<string, Role>;
  /** Repositories that the caller may speak for; undefined for all. */
  speaksFor?: SpeaksFor;
  /** Key of `leeway login` through which a person calls. It works where API keys do, too. */
  keyId?: string;
  /** Subject and host of a CI job; `id` is that of the organization's CI identity. */
  job?: { subject: string; host: string };
}

export const ANONYMOUS: Caller = { type: "anonymous", id: "", roles: new Map() };
export const OPERATOR: Caller = { type: "operator", id: "operator", roles: new Map() };

/** Returns the caller as recorded by other services and the audit log. */
export function actorOf({ type, id, job }: Caller): Actor {
  if (type === "anonymous") throw new Error("the request has no authenticated caller");
  if (job) return { type, id: job.subject, host: job.host };
  return { type, id };
}
