import type {
  CloudAccount,
  Credentials,
  LastVerification,
} from "@leeway/shared/contracts/inventory/accounts";
import type { OrgStatements, Row, Statements, Transaction } from "@leeway/shared/database/database";
import { isDuplicate } from "@leeway/shared/database/failure";
import { open, seal, type SealedPlace } from "@leeway/shared/encryption/envelope";
import type { KeyRing } from "@leeway/shared/encryption/keyring";
import { AppError } from "@leeway/shared/errors";
import { present } from "@leeway/shared/json";

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

/** Where an account's credentials are sealed. */
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

/** What a caller may set on an account. */
export interface AccountSettings {
  name?: string;
  regions?: string[];
  /** Null takes them away. */
  credentials?: Credentials | null;
}

/** An organization that has so many gets no more: its posture has a row for each. */
const MOST_ACCOUNTS = 10_000;

/**
 * Makes an account; undefined when the organization has it already.
 * @throws {AppError} `conflict` where there are too many
 */
export async function createAccount(
  sql: OrgStatements,
  ring: KeyRing,
  account: AccountSettings & { id: string; provider: string; cloud: string; external_id: string },
): Promise<CloudAccount | undefined> {
  const { id, provider, cloud, external_id, name = null, regions = [], credentials } = account;
  try {
    const [row] = await sql<AccountRow>`
      insert into inventory.cloud_accounts (
        org_id, id, provider, cloud, external_id, name, regions, credential_kind, sealed_credentials
      )
      select ${sql.orgId}, ${id}, ${provider}, ${cloud}, ${external_id}, ${name}, ${regions}::text[],
             ${credentials?.kind ?? null}, ${credentials ? sealed(sql, ring, id, credentials) : null}::bytea
       where (select count(*) from inventory.cloud_accounts where org_id = ${sql.orgId}) < ${MOST_ACCOUNTS}
      returning ${columns(sql)}
    `;
    if (!row) throw new AppError("conflict", `the organization has ${MOST_ACCOUNTS} cloud accounts already`);
    return fromRow(row);
  } catch (error) {
    if (isDuplicate(error, "cloud_accounts_unique")) return undefined;
    throw error;
  }
}

function sealed(sql: OrgStatements, ring: KeyRing, rowId: string, credentials: Credentials): Buffer {
  return seal(ring, placeOf(sql, rowId), JSON.stringify(credentials));
}

function placeOf({ orgId }: OrgStatements, rowId: string): SealedPlace {
  return { orgId, table: SEALED_IN, rowId };
}

/** Sets what is given and leaves the rest; undefined when there is no such account. */
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

/** Accounts that have credentials, oldest first. */
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

/** Accounts of which a listing was ever taken over, oldest first. */
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

/** Accounts of IaC sources that have one of the names, oldest first. */
export async function accountsOfSources(sql: OrgStatements, names: readonly string[]): Promise<string[]> {
  const rows = await sql<{ id: string }>`
    select distinct cloud_account_id as id
      from inventory.iac_sources
     where org_id = ${sql.orgId}
       and name = any (${[...names]}::text[])
       and cloud_account_id is not null
     order by id
  `;
  return rows.map(({ id }) => id);
}

/** Whether a listing of the account was ever taken over. */
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

/** An account's credentials, opened when they are asked for; undefined when it has none. */
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

/** Notes what came of trying an account's credentials, unless the account has been changed since `version`. */
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
       and date_trunc('milliseconds', updated_at) = ${version}
  `;
}

/** A page of accounts, oldest first. */
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

/** Removes an account with all that was found in it; false when there is none. */
export async function deleteAccount(tx: Transaction, accountId: string): Promise<boolean> {
  await tx`delete from inventory.matches where org_id = ${tx.orgId} and cloud_account_id = ${accountId}`;
  await tx`delete from inventory.ambiguities where org_id = ${tx.orgId} and cloud_account_id = ${accountId}`;
  await tx`delete from inventory.live_resources where org_id = ${tx.orgId} and cloud_account_id = ${accountId}`;
  await tx`delete from inventory.drift_changes where org_id = ${tx.orgId} and cloud_account_id = ${accountId}`;
  await tx`delete from inventory.drift_fingerprints where org_id = ${tx.orgId} and cloud_account_id = ${accountId}`;
  const gone =
    await tx`delete from inventory.cloud_accounts where org_id = ${tx.orgId} and id = ${accountId}`;
  return gone.count > 0;
}

/** Forgets an organization. */
export async function purgeOrg(tx: Transaction): Promise<void> {
  const { orgId } = tx;
  await tx`delete from inventory.matches where org_id = ${orgId}`;
  await tx`delete from inventory.ambiguities where org_id = ${orgId}`;
  await tx`delete from inventory.live_resources where org_id = ${orgId}`;
  await tx`delete from inventory.drift_changes where org_id = ${orgId}`;
  await tx`delete from inventory.drift_fingerprints where org_id = ${orgId}`;
  await tx`delete from inventory.declared_attributes where org_id = ${orgId}`;
  await tx`delete from inventory.iac_resources where org_id = ${orgId}`;
  await tx`delete from inventory.plan_changes where org_id = ${orgId}`;
  await tx`delete from inventory.source_counts where org_id = ${orgId}`;
  await tx`delete from inventory.counted_orgs where org_id = ${orgId}`;
  await tx`delete from inventory.iac_sources where org_id = ${orgId}`;
  await tx`delete from inventory.disabled_exclusions where org_id = ${orgId}`;
  await tx`delete from inventory.cloud_accounts where org_id = ${orgId}`;
  await tx`delete from inventory.notices where org_id = ${orgId}`;
}
