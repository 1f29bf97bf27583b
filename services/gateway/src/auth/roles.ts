import { words } from "@leeway/shared/contract";
import type { Static } from "@sinclair/typebox";

/** What a member may do, most first; each may do all that those after it may. */
const ROLES = ["owner", "admin", "member", "viewer"] as const;
export const Role = words(ROLES);
export type Role = Static<typeof Role>;

/** A key is never an owner. */
const KEY_ROLES = ["admin", "member", "viewer"] as const;
export const KeyRole = words(KEY_ROLES);
export type KeyRole = Static<typeof KeyRole>;

/** Whether `role` may do what asks for `least`. */
export function reaches(role: Role, least: Role): boolean {
  return ROLES.indexOf(role) <= ROLES.indexOf(least);
}
