import type { Transaction } from "@leeway/shared/database/database";

import { isPresent } from "../../matching/store/editions.ts";

/**
 * Creates the temporary table `known_as`: for each row of `live_side`, the account's stored resource with its id and
 * type.
 * @param unseen resources that no known row has shown
 * @returns whether these are exactly the rows' resources, and nothing that decides matches has changed
 */
export async function matchesAsBefore(
  tx: Transaction,
  accountId: string,
  unseen: readonly string[],
): Promise<boolean> {
  await tx`
    create temp table known_as on commit drop as
    select s.live_id as listed_id, l.id,
           (l.keys, l.owner_keys, l.region, l.exclusion, l.mapped)
             is not distinct from (s.keys, s.owner_keys, s.region, s.exclusion, s.mapped) as is_same
      from live_side s
     cross join lateral inventory.lives_known_as(s.provider_resource_id) as k (id)
      join inventory.live_resources l on l.org_id = ${tx.orgId} and l.id = k.id
     where l.cloud_account_id = ${accountId}
       and l.provider_type = s.provider_type
       and l.id = any (${[...unseen]}::uuid[])
  `;
  const [row] = await tx<{ same: number; listed: number }>`
    select (select count(*)::integer from known_as where is_same) as same,
           (select count(*)::integer from live_side) as listed
  `;
  return row !== undefined && row.same === row.listed && row.same === unseen.length;
}

/**
 * Compares `live_side` with the inventory, by `known_as`. Creates `compared` as `compareWithInventory` does, and `found`
 * with the stored matches of these resources.
 */
export async function compareDelta(tx: Transaction, accountId: string): Promise<void> {
  await tx`drop table if exists compared`;
  await tx`
    create temp table compared on commit drop as
    select s.live_id as listed_id, l.id as live_id, l.edition, l.ctid as place,
           l.content_hash <> s.content_hash as changed
      from live_side s
      join known_as k on k.listed_id = s.live_id
      join inventory.live_resources l on l.org_id = ${tx.orgId} and l.id = k.id
     where l.cloud_account_id = ${accountId}
       and ${isPresent(tx, "l")}
  `;
  await tx`drop table if exists found`;
  await tx`
    create temp table found on commit drop as
    select c.live_id, l.iac_resource_id as iac_id, l.match_level as level, false as contested, true as chosen,
           l.match_conflict as conflict
      from compared c
      join inventory.live_resources l on l.org_id = ${tx.orgId} and l.id = c.live_id and l.edition = c.edition
     where c.changed
       and l.iac_resource_id is not null
  `;
}

/** Undoes everything that a delta has written for the open `edition`. */
export async function undoDelta(tx: Transaction, accountId: string, edition: number): Promise<void> {
  await tx`
    delete from inventory.live_resources
     where org_id = ${tx.orgId}
       and cloud_account_id = ${accountId}
       and edition = ${edition}
  `;
  await tx`delete from superseded`;
}
