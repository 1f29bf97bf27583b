import type { Actor } from "@leeway/shared/contracts/common";
import type { OrgStatements, Statements, Transaction } from "@leeway/shared/database/database";
import { AppError } from "@leeway/shared/values/errors";

import type { CiClaims, CiJob } from "../ci-claims.ts";
import type { CiIdentity } from "../../identity.ts";
import type { SecretRecord } from "./api-keys.ts";

interface Row {
  id: string;
  issuer: string;
  claims: CiClaims;
  role: CiIdentity["role"];
  created_by: Actor;
  created_at: Date;
  last_used_at: Date | null;
}

/** Maximum of CI identities per organization. */
const MAX_IDENTITIES = 1_000;

/** Creates an identity. @throws {AppError} `conflict` if there are too many */
export async function insertCiIdentity(
  tx: Transaction,
  identity: Pick<CiIdentity, "id" | "issuer" | "claims" | "role" | "created_by"> & { namespace: string },
): Promise<void> {
  const { id, issuer, namespace, claims, role, created_by: by } = identity;
  const inserted = await tx`
    insert into identity.ci_identities (org_id, id, issuer, namespace, claims, role, created_by)
    select ${tx.orgId}, ${id}, ${issuer}, ${namespace}, ${tx.part.json(claims)}, ${role}, ${tx.part.json(by)}
     where (select count(*) from identity.ci_identities where org_id = ${tx.orgId}) < ${MAX_IDENTITIES}
  `;
  if (inserted.count === 0) {
    const message = `the organization already has ${MAX_IDENTITIES} CI identities; delete unused ones`;
    throw new AppError("conflict", message);
  }
}

export async function getCiIdentity(sql: OrgStatements, id: string): Promise<CiIdentity | undefined> {
  const [row] = await sql<Row>`
    select id, issuer, claims, role, created_by, created_at, last_used_at
      from identity.ci_identities
     where org_id = ${sql.orgId}
       and id = ${id}
  `;
  return row && fromRow(row);
}

/** Returns a page of identities after `after`, oldest first. */
export async function listCiIdentities(
  sql: OrgStatements,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<CiIdentity[]> {
  const rows = await sql<Row>`
    select id, issuer, claims, role, created_by, created_at, last_used_at
      from identity.ci_identities
     where org_id = ${sql.orgId}
       and (${after ?? null}::uuid is null or id > ${after ?? null})
     order by id
     limit ${limit}
  `;
  return rows.map(fromRow);
}

/** Deletes an identity and its tokens. @returns whether there was one */
export async function deleteCiIdentity(tx: Transaction, id: string): Promise<boolean> {
  const deleted = await tx`delete from identity.ci_identities where org_id = ${tx.orgId} and id = ${id}`;
  return deleted.count > 0;
}

function fromRow({ created_at: createdAt, last_used_at: usedAt, ...same }: Row): CiIdentity {
  return {
    ...same,
    created_at: createdAt.toISOString(),
    ...(usedAt && { last_used_at: usedAt.toISOString() }),
  };
}

/** Identity that may match a job's token. */
export interface FoundIdentity {
  orgId: string;
  id: string;
  claims: CiClaims;
  role: CiIdentity["role"];
}

/** Returns identities of an issuer's namespace, in one organization or in all. */
export async function findCiIdentities(
  sql: Statements,
  wanted: { issuer: string; namespace: string; orgId: string | undefined; atMost: number },
): Promise<FoundIdentity[]> {
  const { issuer, namespace, orgId, atMost } = wanted;
  const rows = await sql<{ org_id: string; id: string; claims: CiClaims; role: CiIdentity["role"] }>`
    select org_id, id, claims, role
      from identity.find_ci_identities(${issuer}, ${namespace}, ${orgId ?? null}::uuid, ${atMost})
  `;
  return rows.map(({ org_id, ...same }) => ({ ...same, orgId: org_id }));
}

/** Stores that a host's token was exchanged. @returns false if it was exchanged before */
export async function noteExchange(
  tx: Transaction,
  { tokenHash, expiresAt }: { tokenHash: Buffer; expiresAt: Date },
): Promise<boolean> {
  const noted = await tx`
    insert into identity.ci_exchanges (token_hash, expires_at)
    values (${tokenHash}, ${expiresAt})
    on conflict do nothing
  `;
  return noted.count > 0;
}

/** Stores a job's token. @returns when it expires; undefined if its identity was deleted */
export async function insertCiToken(
  tx: Transaction,
  identityId: string,
  { job, secret, seconds }: { job: CiJob; secret: Pick<SecretRecord, "lookup" | "hash">; seconds: number },
): Promise<Date | undefined> {
  const [row] = await tx<{ expires_at: Date }>`
    with used as (
      update identity.ci_identities
         set last_used_at = now()
       where org_id = ${tx.orgId}
         and id = ${identityId}
      returning id
    )
    insert into identity.ci_tokens (org_id, lookup, hash, identity_id, subject, repository, host, expires_at)
    select ${tx.orgId}, ${secret.lookup}, ${secret.hash}, id, ${job.subject}, ${job.repository}, ${job.host},
           now() + make_interval(secs => ${seconds})
      from used
    returning expires_at
  `;
  return row?.expires_at;
}

/** CI job with a valid token. */
export interface KnownJob {
  orgId: string;
  identityId: string;
  role: CiIdentity["role"];
  subject: string;
  repository: string;
  host: string;
  hash: Uint8Array;
  /** Expiry in ms since 1970. */
  expiresAt: number;
}

/** Returns the CI job with this token's lookup id, of any organization. */
export async function findCiToken(sql: Statements, lookup: string): Promise<KnownJob | undefined> {
  const [row] = await sql<{
    org_id: string;
    identity_id: string;
    role: CiIdentity["role"];
    subject: string;
    repository: string;
    host: string;
    hash: Uint8Array;
    expires_at: Date;
  }>`
    select org_id, identity_id, role, subject, repository, host, hash, expires_at
      from identity.find_ci_token(${lookup})
  `;
  if (!row) return undefined;
  const { org_id: orgId, identity_id: identityId, expires_at: expiresAt, ...same } = row;
  return { ...same, orgId, identityId, expiresAt: expiresAt.getTime() };
}

/** Deletes expired tokens. @returns whether there may be more */
export async function forgetCiTokens(sql: Statements): Promise<boolean> {
  const [row] = await sql<{ more: boolean }>`select identity.forget_ci_tokens() as more`;
  return row?.more ?? false;
}
