import type { Statements } from "@leeway/shared/database/database";

import type { Role } from "../roles.ts";

/** Session of a person on the dashboard. */
export interface KnownSession {
  personId: string;
  /** Name or address to show; undefined if the identity provider names neither. */
  name: string | undefined;
  /** Roles by organization. */
  roles: ReadonlyMap<string, Role>;
  /** Expiry in ms since 1970. */
  expiresAt: number;
}

/** Stores a session by the hash of its token, for `seconds`. */
export async function insertSession(
  sql: Statements,
  session: { tokenHash: Buffer; personId: string; seconds: number },
): Promise<void> {
  const { tokenHash, personId, seconds } = session;
  await sql`
    insert into identity.sessions (token_hash, person_id, expires_at)
    values (${tokenHash}, ${personId}, now() + make_interval(secs => ${seconds}))
  `;
}

/** Stores a session of the person that a sign-in link is for, and deletes the link. @returns whether the link was valid */
export async function exchangeLink(
  sql: Statements,
  { linkHash, tokenHash, seconds }: { linkHash: Buffer; tokenHash: Buffer; seconds: number },
): Promise<boolean> {
  const rows = await sql`
    with link as (
      delete from identity.sign_in_links
       where token_hash = ${linkHash}
      returning person_id, expires_at
    )
    insert into identity.sessions (token_hash, person_id, expires_at)
    select ${tokenHash}, person_id, now() + make_interval(secs => ${seconds})
      from link
     where expires_at > now()
    returning person_id
  `;
  return rows.length > 0;
}

/** Returns the session with this token hash; undefined if there is none or it expired. */
export async function findSession(sql: Statements, tokenHash: Buffer): Promise<KnownSession | undefined> {
  const [row] = await sql<{
    id: string;
    name: string | null;
    email: string | null;
    roles: Record<string, Role>;
    expires_at: Date;
  }>`
    select id, name, email, roles, expires_at from identity.find_session(${tokenHash})
  `;
  if (!row) return undefined;
  return {
    personId: row.id,
    name: row.name ?? row.email ?? undefined,
    roles: new Map(Object.entries(row.roles)),
    expiresAt: row.expires_at.getTime(),
  };
}

/** Deletes a session. */
export async function deleteSession(sql: Statements, tokenHash: Buffer): Promise<void> {
  await sql`delete from identity.sessions where token_hash = ${tokenHash}`;
}

/** Deletes expired sessions. */
export async function deleteExpiredSessions(sql: Statements): Promise<void> {
  await sql`delete from identity.sessions where expires_at < now()`;
}
