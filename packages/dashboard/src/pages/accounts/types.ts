import type { CloudAccount, Operations } from "../../api/openapi.gen.ts";

export type { CloudAccount };
type Changes = Operations["PATCH /orgs/{id}/cloud-accounts/{account_id}"]["body"];
export type Credentials = NonNullable<Changes["credentials"]>;
export type Verification = NonNullable<CloudAccount["last_verification"]>;

/** Operations that return accounts, refetched after a change. */
export const SHOWS_ACCOUNTS = [
  "GET /orgs/{id}/cloud-accounts",
  "GET /orgs/{id}/cloud-accounts/{account_id}",
  "GET /orgs/{id}/posture",
] as const;

/** Returns an account's display name. */
export function nameOf({ name, external_id: externalId }: CloudAccount): string {
  return name ?? externalId;
}

/** Splits typed regions. */
export function regionsOf(typed: string): string[] {
  return typed.split(/[\s,;]+/).filter(Boolean);
}
