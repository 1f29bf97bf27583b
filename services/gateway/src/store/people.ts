import type { Database, Statements } from "@leeway/shared/database/database";

import type { Identity } from "../auth/oidc.ts";
import type { Role } from "../auth/roles.ts";
import { writeAudit, type AuditAction } from "./audit-log.ts";

/** A person who has just shown who they are, and their role in each of their organizations. */
export interface SignedIn {
  id: string;
  roles: ReadonlyMap<string, Role>;
}

interface Invitation {
  org_id: string;
  id: string;
  email: string;
  role: Role;
}

interface Row {
  id: string;
  roles: Record<string, Role>;
  ended: Invitation[];
  joined: Invitation[];
}

/**
 * The person whom a token names, made on first sight. Invitations to a verified address become theirs; where they are a
 * member already, they end.
 */
export async function signIn(database: Database, identity: Identity): Promise<SignedIn> {
  const { issuer, subject, email, emailVerified, name } = identity;
  const [row] = await database.system<Row>`
    select id, roles, ended, joined
      from identity.sign_in(
        ${Bun.randomUUIDv7()}, ${issuer}, ${subject}, ${email ?? null}, ${emailVerified}, ${name ?? null}
      )
  `;
  if (!row) throw new Error("signing in gave no person");
  const actor = { type: "person", id: row.id } as const;
  const noted = async (action: AuditAction, invitations: readonly Invitation[]): Promise<void> => {
    for (const { org_id: orgId, id: targetId, ...details } of invitations) {
      await writeAudit(database.org(orgId), { actor, action, targetId, details });
    }
  };
  await noted("member.join", row.joined);
  await noted("member.delete", row.ended);
  return { id: row.id, roles: new Map(Object.entries(row.roles)) };
}

/** The address that a person's identity provider names, if any. */
export async function emailOf(sql: Statements, personId: string): Promise<string | undefined> {
  const [row] = await sql<{ email: string | null }>`select email from identity.people where id = ${personId}`;
  return row?.email ?? undefined;
}
