import { words } from "@leeway/shared/contracts/contract";
import type { Static } from "@sinclair/typebox";

/** Roles from most to least rights; each includes the rights of those after it. */
const ROLES = ["owner", "admin", "member", "viewer"] as const;
export const Role = words(ROLES);
export type Role = Static<typeof Role>;

/** Roles of keys; a key is never an owner. */
const KEY_ROLES = ["admin", "member", "viewer"] as const;
export const KeyRole = words(KEY_ROLES);
export type KeyRole = Static<typeof KeyRole>;

/** Roles of CI jobs, which change nothing except by submitting. */
export const CiRole = words(["member", "viewer"] as const);

/** Returns whether `role` has at least the rights of `least`. */
export function reaches(role: Role, least: Role): boolean {
  return ROLES.indexOf(role) <= ROLES.indexOf(least);
}
