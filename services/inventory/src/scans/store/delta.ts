import type { Transaction } from "@leeway/shared/database/database";

import { isPresent } from "../../matching/store/editions.ts";
import { kind } from "./live-side.ts";

/**
 * Creates the temporary table `known_as`: for each row of `live_side`, the account's stored resources with its id.
 * @param unseen resources that no known row has shown
 * @returns whether a row is about a resource that a known row of the same listing has shown already
 */
export async function findKnown(
  tx: Transaction,
  accountId: string,
  unseen: readonly string[],
): Promise<boolean> {
  await tx`drop table if exists known_as`;
  await tx`
    create temp table known_as on commit drop as
    select s.live_id as listed_id, l.id, ${kind(tx, "l")} = ${kind(tx, "s")} as is_same_kind
      from live_side s
     cross join lateral inventory.lives_known_as(s.provider_resource_id) as k (id)
      join inventory.live_resources l on l.org_id = ${tx.orgId} and l.id = k.id
     where l.cloud_account_id = ${accountId}
  `;
  const [row] =
    await tx`select 1 from known_as where is_same_kind and id <> all (${[...unseen]}::uuid[]) limit 1`;
  return row !== undefined;
}

/** Result of `compareDelta`. */
interface Delta {
  /** Whether resources are new or gone, or their keys or what excludes them has changed. */
  mayMatchOtherwise: boolean;
}

/**
 * Compares `live_side`, which has only the rows of a listing that aren't known, with the inventory, by `known_as`.
 * Creates `compared` as `compareWithInventory` does, and `found` with the stored matches of these resources.
 */
export async function compareDelta(
  tx: Transaction,
  accountId: string,
  unseen: readonly string[],
): Promise<Delta> {
  await tx`drop table if exists compared`;
  await tx`
    create temp table compared on commit drop as
    select s.live_id as listed_id, l.id as live_id, l.edition, l.ctid as place,
           l.id is not null and l.content_hash <> s.content_hash as changed,
           l.id is null or (l.keys, l.owner_keys, l.region, l.exclusion, l.mapped)
             is distinct from (s.keys, s.owner_keys, s.region, s.exclusion, s.mapped) as moves
      from live_side s
      left join lateral (
        select i.*, i.ctid
          from known_as k
          join inventory.live_resources i on i.org_id = ${tx.orgId} and i.id = k.id
         where k.listed_id = s.live_id
           and i.cloud_account_id = ${accountId}
           and i.provider_type = s.provider_type
           and ${isPresent(tx, "i")}
      ) l on true
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
  const [row] = await tx<{ moves: boolean; known: number }>`
    select coalesce(bool_or(moves), false) as moves, count(live_id)::integer as known from compared
  `;
  return { mayMatchOtherwise: row?.moves !== false || row.known < unseen.length };
}

/** Adds resources that no row of the listing has shown to `superseded`. @returns their number */
export async function markUnseen(
  tx: Transaction,
  accountId: string,
  unseen: readonly string[],
): Promise<number> {
  const gone = await tx`
    insert into superseded (cloud_account_id, live_id, edition, place, is_gone)
    select l.cloud_account_id, l.id, l.edition, l.ctid, true
      from inventory.live_resources l
     where l.org_id = ${tx.orgId}
       and l.cloud_account_id = ${accountId}
       and l.id = any (${[...unseen]}::uuid[])
       and not exists (select from compared c where c.live_id = l.id)
  `;
  return gone.count;
}

/** Undoes everything that a delta has written for the open `edition`. */
export async function undoDelta(tx: Transaction, accountId: string, edition: number): Promise<void> {
  await tx`
    delete from inventory.live_resources l
     where l.org_id = ${tx.orgId}
       and l.cloud_account_id = ${accountId}
       and (
         l.edition = ${edition}
         or l.id in (select listed_id from compared where live_id is null)
       )
  `;
  await tx`delete from superseded`;
}
