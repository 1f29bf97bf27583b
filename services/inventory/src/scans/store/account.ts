import type { ProjectRow } from "@leeway/clouds/cloud";
import type { CloudAccount } from "@leeway/shared/contracts/inventory/accounts";
import type { ScanStats } from "@leeway/shared/contracts/inventory/scans";
import type { OrgStatements, Transaction } from "@leeway/shared/database/database";

import type { ListedAccount } from "@leeway/clouds/listings/named-accounts";

/**
 * Serializes the listings of one account, even if the process of an abandoned scan still runs. Take it before
 * `lockMatching`.
 */
export async function lockListing(tx: Transaction, accountId: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`listing ${accountId}`}, 0))`;
}

export async function hasLiveResources(sql: OrgStatements, accountId: string): Promise<boolean> {
  const [row] = await sql`
    select 1
      from inventory.live_resources
     where org_id = ${sql.orgId}
       and cloud_account_id = ${accountId}
     limit 1
  `;
  return row !== undefined;
}

/** Returns the account's current counts, in the form of a scan's. */
export async function accountCounts(sql: OrgStatements, accountId: string): Promise<ScanStats> {
  const [row] = await sql<Required<Pick<ScanStats, "matched" | "undeclared" | "excluded" | "unchecked">>>`
    select matched_count as matched, undeclared_count as undeclared, excluded_count as excluded,
           unchecked_count as unchecked
      from inventory.cloud_accounts
     where org_id = ${sql.orgId}
       and id = ${accountId}
  `;
  return row ? { ...row } : {};
}

/**
 * Returns the account as listings name it. A Google project that was added by its number has its id there, once
 * known.
 */
export async function listedAs(
  sql: OrgStatements,
  { id, provider, external_id }: CloudAccount,
): Promise<ListedAccount> {
  const [row] = await sql<{ project_id: string | null }>`
    select project_id
      from inventory.cloud_accounts
     where org_id = ${sql.orgId}
       and id = ${id}
  `;
  return { provider, external_id: row?.project_id ?? external_id };
}

/**
 * Stores the id of a project that was added by its number, once a row contains it, unless another account has that
 * id.
 * @returns whether the id was stored
 */
export async function learnProjectId(
  tx: Transaction,
  accountId: string,
  { id, idIn }: ProjectRow,
): Promise<boolean> {
  const [unknown] = await tx`
    select 1
      from inventory.cloud_accounts
     where org_id = ${tx.orgId}
       and id = ${accountId}
       and project_id is null
  `;
  if (!unknown) return false;
  // Without the index of ids. A worker refuses the owner's function in a transaction that has changed rows.
  const [row] = await tx<{ properties: string | null }>`
    select properties
      from inventory.live_resources
     where org_id = ${tx.orgId}
       and cloud_account_id = ${accountId}
       and inventory.identity(provider_resource_id) = inventory.identity(${id})
  `;
  const projectId = row?.properties && idIn(JSON.parse(row.properties));
  if (!projectId) return false;
  const noted = await tx`
    update inventory.cloud_accounts a
       set project_id = ${projectId}
     where a.org_id = ${tx.orgId}
       and a.id = ${accountId}
       and not exists (
         select
           from inventory.cloud_accounts o
          where o.org_id = ${tx.orgId} and o.provider = a.provider and o.named_as = lower(${projectId})
       )
  `;
  return noted.count > 0;
}
