import { currentContext } from "@leeway/shared/platform/context";
import type { Database, Statements, Transaction } from "@leeway/shared/database/database";

import type { Identity } from "../oidc.ts";
import type { Role } from "../roles.ts";

/** Person who has just signed in, with the role in each of their organizations. */
export interface SignedIn {
  id: string;
  roles: ReadonlyMap<string, Role>;
}

/**
 * Returns the person that a token names, created on first sight. Invitations to a verified address become the
 * person's memberships, or end if there is one already; both are audited.
 */
export async function signIn(database: Database, identity: Identity): Promise<SignedIn> {
  const { issuer, subject, email, emailVerified, name } = identity;
  const requestId = currentContext()?.requestId ?? Bun.randomUUIDv7();
  const [row] = await database.system<{ id: string; roles: Record<string, Role> }>`
    select id, roles
      from identity.sign_in(
        ${Bun.randomUUIDv7()}, ${issuer}, ${subject}, ${email ?? null}, ${emailVerified}, ${name ?? null}, ${requestId}
      )
  `;
  if (!row) throw new Error("the sign-in returned no person");
  return { id: row.id, roles: new Map(Object.entries(row.roles)) };
}

/**
 * Stores that a person creates the transaction's organization.
 * @returns whether it is among the person's first `most` organizations; always true if `most` is 0
 */
export async function noteFounding(tx: Transaction, personId: string, most: number): Promise<boolean> {
  const [row] = await tx<{ is_free: boolean }>`
    select identity.note_founding(${personId}, ${tx.orgId}, ${most}) as is_free
  `;
  return row?.is_free ?? false;
}

/** Returns the address from a person's identity provider, if any. */
export async function emailOf(sql: Statements, personId: string): Promise<string | undefined> {
  const [row] = await sql<{ email: string | null }>`select email from identity.people where id = ${personId}`;
  return row?.email ?? undefined;
}
