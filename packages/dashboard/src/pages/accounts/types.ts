import type { CloudAccount, Operations } from "../../api/openapi.gen.ts";

export type { CloudAccount };
type Changes = Operations["PATCH /orgs/{id}/cloud-accounts/{account_id}"]["body"];
export type Credentials = NonNullable<Changes["credentials"]>;
export type Verification = NonNullable<CloudAccount["last_verification"]>;

/** What shows an account, and is asked for again once it has changed. */
export const SHOWS_ACCOUNTS = [
  "GET /orgs/{id}/cloud-accounts",
  "GET /orgs/{id}/cloud-accounts/{account_id}",
  "GET /orgs/{id}/posture",
] as const;

/** What to call an account. */
export function nameOf({ name, external_id: externalId }: CloudAccount): string {
  return name ?? externalId;
}

/** Regions as people type them, one beside the other. */
export function regionsOf(typed: string): string[] {
  return typed.split(/[\s,;]+/).filter(Boolean);
}
