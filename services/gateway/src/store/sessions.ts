import type { Statements } from "@leeway/shared/database/database";

import type { Role } from "../auth/roles.ts";

/** Somebody who is signed in to the dashboard. */
export interface KnownSession {
  personId: string;
  /** What to call them; absent where their identity provider names neither. */
  name: string | undefined;
  /** By organization. */
  roles: ReadonlyMap<string, Role>;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

/** Keeps a session by the hash of its token, for so many seconds. */
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

/** The session whose token has this hash; undefined when there is none, or it is over. */
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

/** Ends a session, wherever its token is held. */
export async function deleteSession(sql: Statements, tokenHash: Buffer): Promise<void> {
  await sql`delete from identity.sessions where token_hash = ${tokenHash}`;
}

/** Drops sessions that are over. */
export async function deleteExpiredSessions(sql: Statements): Promise<void> {
  await sql`delete from identity.sessions where expires_at < now()`;
}
