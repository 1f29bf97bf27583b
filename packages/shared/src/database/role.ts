import { createHash, createHmac, pbkdf2Sync, randomBytes } from "node:crypto";

import postgres, { type Sql } from "postgres";

const { PostgresError } = postgres;

const ITERATIONS = 4_096;
const ATTEMPTS = 20;
const RETRY_MS = 50;

/**
 * Creates a role without privileges and sets its password; an absent password keeps the current one. Roles are shared
 * by the whole server, so migrations of other databases may do the same concurrently.
 */
export async function ensureRole(sql: Sql, role: string, password: string | undefined): Promise<void> {
  const [existing] = await sql`select 1 from pg_roles where rolname = ${role}`;
  if (!existing) await unlessOthersDid(sql`create role ${sql(role)} nologin noinherit`);
  if (password === undefined) return;
  const statement = `alter role ${role} login password '${scramVerifier(password)}'`;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await sql.unsafe(statement);
      return;
    } catch (error) {
      if (attempt === ATTEMPTS || !isConcurrentUpdate(error)) throw error;
      await Bun.sleep(RETRY_MS);
    }
  }
}

async function unlessOthersDid(creation: PromiseLike<unknown>): Promise<void> {
  try {
    await creation;
  } catch (error) {
    if (!(error instanceof PostgresError && ["42710", "23505"].includes(error.code))) throw error;
  }
}

function isConcurrentUpdate(error: unknown): boolean {
  return error instanceof PostgresError && error.message === "tuple concurrently updated";
}

/**
 * Returns the server's stored form of a password (RFC 5803), so that no statement or log contains the password
 * itself.
 */
function scramVerifier(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, "sha256");
  const keyOf = (name: string): Buffer => createHmac("sha256", salted).update(name).digest();
  const stored = createHash("sha256").update(keyOf("Client Key")).digest("base64");
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString("base64")}$${stored}:${keyOf("Server Key").toString("base64")}`;
}
