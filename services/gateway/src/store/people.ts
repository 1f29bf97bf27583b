import { currentContext } from "@leeway/shared/context";
import type { Database, Statements } from "@leeway/shared/database/database";

import type { Identity } from "../auth/oidc.ts";
import type { Role } from "../auth/roles.ts";

/** A person who has just shown who they are, and their role in each of their organizations. */
export interface SignedIn {
  id: string;
  roles: ReadonlyMap<string, Role>;
}

/**
 * The person whom a token names, made on first sight. Invitations to a verified address become theirs; where they are a
 * member already, they end; the audit log is told.
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
  if (!row) throw new Error("signing in gave no person");
  return { id: row.id, roles: new Map(Object.entries(row.roles)) };
}

/** The address that a person's identity provider names, if any. */
export async function emailOf(sql: Statements, personId: string): Promise<string | undefined> {
  const [row] = await sql<{ email: string | null }>`select email from identity.people where id = ${personId}`;
  return row?.email ?? undefined;
}
