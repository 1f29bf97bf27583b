import type { Actor } from "@leeway/shared/contracts/common";
import type { OrgStatements, Statements } from "@leeway/shared/database/database";
import { AppError } from "@leeway/shared/values/errors";

import { shownPrefix } from "../api-key.ts";
import type { KeyRole, Role } from "../roles.ts";
import type { ApiKey } from "../../identity.ts";

interface Row {
  id: string;
  name: string;
  role: KeyRole;
  repositories: string[] | null;
  person_id: string | null;
  lookup: string;
  created_by: Actor;
  created_at: Date;
  expires_at: Date | null;
  last_used_at: Date | null;
}

/** Stored data of a secret. */
export interface SecretRecord {
  /** Id of the attempt that creates the secret. */
  attemptId: string;
  lookup: string;
  hash: Buffer;
}

/** Key with a valid secret. */
export interface KnownKey {
  orgId: string;
  id: string;
  role: KeyRole;
  /** Patterns of repositories that the key may speak for; undefined for all. */
  repositories: string[] | undefined;
  hash: Uint8Array;
  /** Expiry in ms since 1970; infinite for a key without one. */
  expiresAt: number;
  /** Member that a key of `leeway login` acts as, with the role that they have now. */
  member: { personId: string; role: Role } | undefined;
}

/** Returns the key with this lookup id, of any organization. */
export async function findApiKey(sql: Statements, lookup: string): Promise<KnownKey | undefined> {
  const [row] = await sql<{
    org_id: string;
    id: string;
    role: KeyRole;
    repositories: string[] | null;
    hash: Uint8Array;
    expires_at: Date | null;
    person_id: string | null;
    member_role: Role | null;
  }>`
    select org_id, id, role, repositories, hash, expires_at, person_id, member_role from identity.find_key(${lookup})
  `;
  if (!row) return undefined;
  const { org_id: orgId, id, role, repositories, hash, expires_at: expiresAt } = row;
  const { person_id: personId, member_role: memberRole } = row;
  return {
    orgId,
    id,
    role,
    repositories: repositories ?? undefined,
    hash,
    expiresAt: expiresAt?.getTime() ?? Infinity,
    member: personId !== null && memberRole !== null ? { personId, role: memberRole } : undefined,
  };
}

/** Stores that keys were just used; a use noted less than a minute ago isn't updated. */
export async function markKeysUsed(
  sql: Statements,
  keys: readonly { org_id: string; id: string }[],
): Promise<void> {
  await sql`select identity.mark_keys_used(${sql.part.json(keys)})`;
}

/** Maximum of keys per organization. */
const MAX_KEYS = 1_000;

/** Creates a key with its first secret. @throws {AppError} `conflict` if there are too many */
export async function insertApiKey(
  sql: OrgStatements,
  key: {
    id: string;
    name: string;
    role: KeyRole;
    repositories?: readonly string[] | undefined;
    expiresAt: string | undefined;
    createdBy: Actor;
    /** Member that the key acts as. */
    personId?: string;
    secret: SecretRecord;
  },
): Promise<ApiKey> {
  const { id, name, role, repositories, expiresAt, createdBy, personId, secret } = key;
  const inserted = await sql`
    insert into identity.api_keys (org_id, id, name, role, repositories, created_by, expires_at, person_id)
    select ${sql.orgId}, ${id}, ${name}, ${role}, ${repositories ? [...repositories] : null}::text[],
           ${sql.part.json(createdBy)}, ${expiresAt ?? null}::timestamptz,
           ${personId ?? null}::uuid
     where (select count(*) from identity.api_keys where org_id = ${sql.orgId}) < ${MAX_KEYS}
  `;
  if (inserted.count === 0)
    throw new AppError("conflict", `the organization already has ${MAX_KEYS} API keys; delete unused ones`);
  await insertSecret(sql, id, secret);
  const made = await getApiKey(sql, id);
  if (!made) throw new Error("the API key wasn't created");
  return made;
}

/**
 * Locks a key against other changes until the transaction ends.
 * @returns whether it has expired, and whether it acts as a member; undefined if there is no such key
 */
export async function lockApiKey(
  sql: OrgStatements,
  id: string,
): Promise<{ expired: boolean; signed_in: boolean } | undefined> {
  const [row] = await sql<{ expired: boolean; signed_in: boolean }>`
    select coalesce(expires_at <= now(), false) as expired, person_id is not null as signed_in
      from identity.api_keys
     where org_id = ${sql.orgId}
       and id = ${id}
       for update
  `;
  return row;
}

/** Creates a new secret for a locked key. The previous one stays valid for `overlapHours`; older ones end now. */
export async function rotateSecret(
  sql: OrgStatements,
  keyId: string,
  { secret, overlapHours }: { secret: SecretRecord; overlapHours: number },
): Promise<void> {
  await sql`
    delete from identity.api_key_secrets
     where org_id = ${sql.orgId}
       and key_id = ${keyId}
       and (retired_at is not null or ${overlapHours} = 0)
  `;
  await sql`
    update identity.api_key_secrets
       set retired_at = now() + make_interval(hours => ${overlapHours})
     where org_id = ${sql.orgId}
       and key_id = ${keyId}
  `;
  await insertSecret(sql, keyId, secret);
}

/**
 * Replaces the secret that the same attempt created before.
 * @returns whether there is one
 */
export async function renewSecret(
  sql: OrgStatements,
  keyId: string,
  { attemptId, lookup, hash }: SecretRecord,
): Promise<boolean> {
  const renewed = await sql`
    update identity.api_key_secrets
       set lookup = ${lookup}, hash = ${hash}
     where org_id = ${sql.orgId}
       and key_id = ${keyId}
       and attempt_id = ${attemptId}
       and retired_at is null
  `;
  return renewed.count > 0;
}

/** Returns one key; undefined if there is no such key. */
export async function getApiKey(sql: OrgStatements, id: string): Promise<ApiKey | undefined> {
  const [row] = await sql<Row>`
    select k.id, k.name, k.role, k.repositories, k.person_id, s.lookup, k.created_by, k.created_at, k.expires_at, k.last_used_at
      from identity.api_keys k
      join identity.api_key_secrets s on s.org_id = k.org_id and s.key_id = k.id and s.retired_at is null
     where k.org_id = ${sql.orgId}
       and k.id = ${id}
  `;
  return row && fromRow(row);
}

/** Returns a page of keys after `after`, oldest first. */
export async function listApiKeys(
  sql: OrgStatements,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<ApiKey[]> {
  const rows = await sql<Row>`
    select k.id, k.name, k.role, k.repositories, k.person_id, s.lookup, k.created_by, k.created_at, k.expires_at, k.last_used_at
      from identity.api_keys k
      join identity.api_key_secrets s on s.org_id = k.org_id and s.key_id = k.id and s.retired_at is null
     where k.org_id = ${sql.orgId}
       and (${after ?? null}::uuid is null or k.id > ${after ?? null})
     order by k.id
     limit ${limit}
  `;
  return rows.map(fromRow);
}

/** Deletes a key and all its secrets. @returns its name; undefined if there is no such key */
export async function deleteApiKey(sql: OrgStatements, id: string): Promise<string | undefined> {
  const [row] = await sql<{ name: string }>`
    delete from identity.api_keys where org_id = ${sql.orgId} and id = ${id} returning name
  `;
  return row?.name;
}

async function insertSecret(
  sql: OrgStatements,
  keyId: string,
  { attemptId, lookup, hash }: SecretRecord,
): Promise<void> {
  await sql`
    insert into identity.api_key_secrets (org_id, key_id, lookup, hash, attempt_id)
    values (${sql.orgId}, ${keyId}, ${lookup}, ${hash}, ${attemptId})
  `;
}

function fromRow(row: Row): ApiKey {
  const { id, name, role, lookup, created_by: createdBy, created_at: createdAt } = row;
  return {
    id,
    name,
    role,
    ...(row.repositories && { repositories: row.repositories }),
    ...(row.person_id !== null && { person_id: row.person_id }),
    prefix: shownPrefix(lookup),
    created_by: createdBy,
    created_at: createdAt.toISOString(),
    ...(row.expires_at && { expires_at: row.expires_at.toISOString() }),
    ...(row.last_used_at && { last_used_at: row.last_used_at.toISOString() }),
  };
}
