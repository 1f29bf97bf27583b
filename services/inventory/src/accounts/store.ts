import type {
  CloudAccount,
  Credentials,
  LastVerification,
} from "@leeway/shared/contracts/inventory/accounts";
import type { Repository } from "@leeway/shared/contracts/common";
import type { OrgStatements, Row, Statements, Transaction } from "@leeway/shared/database/database";
import { isDuplicate } from "@leeway/shared/database/failure";
import { open, seal, type SealedPlace } from "@leeway/shared/security/encryption/envelope";
import type { KeyRing } from "@leeway/shared/security/encryption/keyring";
import { AppError } from "@leeway/shared/values/errors";
import { present } from "@leeway/shared/values/json";

interface AccountRow extends Row {
  id: string;
  provider: string;
  external_id: string;
  name: string | null;
  regions: string[];
  credential_kind: Credentials["kind"] | null;
  verification: LastVerification | null;
  last_scan_id: string | null;
  created_at: Date;
  updated_at: Date;
}

/** Table name in the seal of an account's credentials. */
const SEALED_IN = "inventory.cloud_accounts";

const columns = (sql: Statements) => sql.part`
  id, provider, external_id, name, regions, credential_kind, verification, last_scan_id, created_at, updated_at
`;

function fromRow(row: AccountRow): CloudAccount {
  return {
    id: row.id,
    provider: row.provider,
    external_id: row.external_id,
    ...present({ name: row.name, last_scan_id: row.last_scan_id }),
    regions: row.regions,
    ...(row.credential_kind && { credentials: { kind: row.credential_kind } }),
    status: row.credential_kind ? (row.verification?.status ?? "unverified") : "push",
    ...(row.verification && { last_verification: row.verification }),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** Settings of an account that a caller can change. */
export interface AccountSettings {
  name?: string;
  regions?: string[];
  /** Null deletes them. */
  credentials?: Credentials | null;
}

/** Limit per organization, because its posture has a row for each account. */
const MAX_ACCOUNTS = 10_000;

/** Checks whether creating an account failed because the organization already has it. */
export function isConnected(error: unknown): boolean {
  return isDuplicate(error, "cloud_accounts_unique");
}

/**
 * Creates an account.
 * @throws {AppError} `conflict` if there are too many; see {@link isConnected} for an existing one
 */
export async function createAccount(
  tx: Transaction,
  ring: KeyRing,
  account: AccountSettings & { id: string; provider: string; cloud: string; external_id: string },
): Promise<CloudAccount> {
  const { id, provider, cloud, external_id, name = null, regions = [], credentials } = account;
  const [row] = await tx<AccountRow>`
    insert into inventory.cloud_accounts (
      org_id, id, provider, cloud, external_id, name, regions, credential_kind, sealed_credentials
    )
    select ${tx.orgId}, ${id}, ${provider}, ${cloud}, ${external_id}, ${name}, ${regions}::text[],
           ${credentials?.kind ?? null}, ${credentials ? sealed(tx, ring, id, credentials) : null}::bytea
     where (select count(*) from inventory.cloud_accounts where org_id = ${tx.orgId}) < ${MAX_ACCOUNTS}
    returning ${columns(tx)}
  `;
  if (!row)
    throw new AppError(
      "conflict",
      `the organization already has ${MAX_ACCOUNTS} cloud accounts; delete one first`,
    );
  return fromRow(row);
}

/**
 * Returns the id of the account with the provider's id `externalId`, in upper or lower case if the cloud ignores
 * case.
 */
export async function accountNamed(
  sql: OrgStatements,
  { provider, externalId }: { provider: string; externalId: string },
): Promise<string | undefined> {
  const [row] = await sql<{ id: string }>`
    select id
      from inventory.cloud_accounts
     where org_id = ${sql.orgId}
       and provider = ${provider}
       and named_as = case when cloud = 'other' then ${externalId} else lower(${externalId}) end
  `;
  return row?.id;
}

function sealed(sql: OrgStatements, ring: KeyRing, rowId: string, credentials: Credentials): Buffer {
  return seal(ring, placeOf(sql, rowId), JSON.stringify(credentials));
}

function placeOf({ orgId }: OrgStatements, rowId: string): SealedPlace {
  return { orgId, table: SEALED_IN, rowId };
}

/** Sets the given members; undefined if there is no such account. */
export async function updateAccount(
  sql: OrgStatements,
  ring: KeyRing,
  accountId: string,
  { name, regions, credentials }: AccountSettings,
): Promise<CloudAccount | undefined> {
  const { part } = sql;
  const [row] = await sql<AccountRow>`
    update inventory.cloud_accounts
       set name = coalesce(${name ?? null}, name),
           regions = coalesce(${regions ?? null}::text[], regions),
           ${
             credentials === undefined
               ? part``
               : part`
           credential_kind = ${credentials?.kind ?? null},
           sealed_credentials = ${credentials && sealed(sql, ring, accountId, credentials)},
           verification = null,`
           }
           updated_at = now()
     where org_id = ${sql.orgId}
       and id = ${accountId}
    returning ${columns(sql)}
  `;
  return row && fromRow(row);
}

export async function getAccount(sql: OrgStatements, accountId: string): Promise<CloudAccount | undefined> {
  const [row] = await sql<AccountRow>`
    select ${columns(sql)}
      from inventory.cloud_accounts
     where org_id = ${sql.orgId}
       and id = ${accountId}
  `;
  return row && fromRow(row);
}

/** Returns accounts with credentials, oldest first. */
export async function connectedAccounts(sql: OrgStatements): Promise<string[]> {
  const rows = await sql<{ id: string }>`
    select id
      from inventory.cloud_accounts
     where org_id = ${sql.orgId}
       and credential_kind is not null
     order by id
  `;
  return rows.map(({ id }) => id);
}

/** Returns accounts that have had a listing, oldest first. */
export async function sweptAccounts(sql: OrgStatements): Promise<string[]> {
  const rows = await sql<{ id: string }>`
    select id
      from inventory.cloud_accounts
     where org_id = ${sql.orgId}
       and swept_at is not null
     order by id
  `;
  return rows.map(({ id }) => id);
}

/**
 * Returns the accounts of IaC sources that have one of the names and aren't bound to another repository, oldest
 * first.
 */
export async function accountsOfSources(
  sql: OrgStatements,
  names: readonly string[],
  { path, host }: Partial<Repository> = {},
): Promise<string[]> {
  const rows = await sql<{ id: string }>`
    select distinct cloud_account_id as id
      from inventory.iac_sources
     where org_id = ${sql.orgId}
       and name = any (${[...names]}::text[])
       and cloud_account_id is not null
       and (${path ?? null}::text is null or repository is null or repository = ${path ?? null})
       and (${host ?? null}::text is null or repository_host is null or repository_host = ${host ?? null})
     order by id
  `;
  return rows.map(({ id }) => id);
}

/** Checks whether the account has had a listing. */
export async function isSwept(sql: OrgStatements, accountId: string): Promise<boolean> {
  const [row] = await sql`
    select 1
      from inventory.cloud_accounts
     where org_id = ${sql.orgId}
       and id = ${accountId}
       and swept_at is not null
  `;
  return row !== undefined;
}

/** Returns an account's credentials, which are only decrypted on demand; undefined if it has none. */
export async function sealedCredentials(
  sql: OrgStatements,
  ring: KeyRing,
  accountId: string,
): Promise<{ version: string; credentials(): Credentials } | undefined> {
  const [row] = await sql<{ sealed: Buffer; updated_at: Date }>`
    select sealed_credentials as sealed, updated_at
      from inventory.cloud_accounts
     where org_id = ${sql.orgId}
       and id = ${accountId}
       and sealed_credentials is not null
  `;
  if (!row) return undefined;
  return {
    version: row.updated_at.toISOString(),
    credentials: () => JSON.parse(open(ring, placeOf(sql, accountId), row.sealed)),
  };
}

/** Stores the result of checking an account's credentials, unless the account changed since `version`. */
export async function noteVerification(
  sql: OrgStatements,
  { accountId, version }: { accountId: string; version: string },
  verification: LastVerification,
): Promise<void> {
  await sql`
    update inventory.cloud_accounts
       set verification = ${sql.part.json(verification)}
     where org_id = ${sql.orgId}
       and id = ${accountId}
       and updated_at >= ${version}::timestamptz
       and updated_at < ${version}::timestamptz + interval '1 millisecond' -- a version has milliseconds
  `;
}

/** Returns a page of accounts, oldest first. */
export async function listAccounts(
  sql: OrgStatements,
  { provider }: { provider: string | undefined },
  { after, limit }: { after: string | undefined; limit: number },
): Promise<CloudAccount[]> {
  const rows = await sql<AccountRow>`
    select ${columns(sql)}
      from inventory.cloud_accounts
     where org_id = ${sql.orgId}
       and (${after ?? null}::uuid is null or id > ${after ?? null})
       and (${provider ?? null}::text is null or provider = ${provider ?? null})
     order by id
     limit ${limit}
  `;
  return rows.map(fromRow);
}

/** Deletes an account with everything found in it. Returns false if there is none. */
export async function deleteAccount(tx: Transaction, accountId: string): Promise<boolean> {
  await tx`delete from inventory.matches where org_id = ${tx.orgId} and cloud_account_id = ${accountId}`;
  await tx`delete from inventory.ambiguities where org_id = ${tx.orgId} and cloud_account_id = ${accountId}`;
  await tx`delete from inventory.live_resources where org_id = ${tx.orgId} and cloud_account_id = ${accountId}`;
  await tx`delete from inventory.listing_digests where org_id = ${tx.orgId} and cloud_account_id = ${accountId}`;
  await tx`delete from inventory.compared_resources where org_id = ${tx.orgId} and cloud_account_id = ${accountId}`;
  await tx`delete from inventory.drift_changes where org_id = ${tx.orgId} and cloud_account_id = ${accountId}`;
  await tx`delete from inventory.drift_fingerprints where org_id = ${tx.orgId} and cloud_account_id = ${accountId}`;
  await tx`delete from inventory.decision_history where org_id = ${tx.orgId} and cloud_account_id = ${accountId}`;
  // In a distributed database the foreign key doesn't do it.
  await tx`
    update inventory.iac_sources
       set cloud_account_id = null
     where org_id = ${tx.orgId}
       and cloud_account_id = ${accountId}
  `;
  const gone =
    await tx`delete from inventory.cloud_accounts where org_id = ${tx.orgId} and id = ${accountId}`;
  return gone.count > 0;
}
