import type { Transaction } from "@leeway/shared/database/database";

import { isPresent } from "../../matching/store/editions.ts";

/** Changes of a listing, by the resources that they concern. */
interface Delta {
  /** Number of rows of `live_side`. */
  read: number;
  /** Number of rows of `live_side` whose id isn't stored. */
  created: number;
  /** Ids of stored resources that the listing lacks. */
  gone: readonly string[];
}

/** Number of rows that are looked up one by one in less time than the account's rows are read. */
const MAX_LOOK_UPS = 10_000;

/** Sets whether the transaction may look rows up one by one. The temporary tables need statistics then. */
export async function mayLookUp(tx: Transaction, isAllowed: boolean): Promise<void> {
  await tx`select set_config('enable_nestloop', ${isAllowed ? "on" : "off"}, true)`;
}

/**
 * Compares rows that had to be read with the stored resources of their ids.
 * @returns `same` if only contents have changed, so that every match stays; `other` if resources are new, gone or
 * identified otherwise; `unknown` if an id isn't that of the row's resource
 */
export async function compareKeys(
  tx: Transaction,
  accountId: string,
  { read, created, gone }: Delta,
): Promise<"same" | "other" | "unknown"> {
  await tx`analyze live_side (live_id)`;
  await mayLookUp(tx, read <= MAX_LOOK_UPS);
  const [row] = await tx<{ fresh: number; strange: boolean; moved: boolean }>`
    select count(*) filter (where l.id is null)::integer as fresh,
           coalesce(bool_or(
             l.provider_type <> s.provider_type
             or inventory.identity(l.provider_resource_id) <> inventory.identity(s.provider_resource_id)
           ), false) as strange,
           coalesce(bool_or(
             l.id is not null
             and (l.keys, l.owner_keys, l.region, l.exclusion, l.mapped)
                 is distinct from (s.keys, s.owner_keys, s.region, s.exclusion, s.mapped)
           ), false) as moved
      from live_side s
      left join (
        select *
          from inventory.live_resources
         where org_id = ${tx.orgId}
           and cloud_account_id = ${accountId}
      ) l on l.id = s.live_id
  `;
  if (!row || row.fresh !== created || row.strange) return "unknown";
  return row.moved || created > 0 || gone.length > 0 ? "other" : "same";
}

/**
 * Adds the account's stored resources to `live_side` that an unchanged row has shown: those that aren't in it and
 * aren't gone.
 */
export async function addUnchanged(
  tx: Transaction,
  accountId: string,
  gone: readonly string[],
): Promise<void> {
  await tx`
    insert into live_side (
      live_id, provider_resource_id, provider_type, normalized_type, region, name, content_hash, mapped, keys,
      owner_keys, exclusion, cloud_created_at, enrichment_status, tags, properties, redactions, shards
    )
    select l.id, l.provider_resource_id, l.provider_type, l.normalized_type, l.region, l.name, l.content_hash, l.mapped,
           l.keys, l.owner_keys, l.exclusion, l.cloud_created_at,
           case when l.enrichment_status = 'n/a' then 'n/a' else 'none' end, -- the enricher's result is kept
           l.tags, l.properties, l.redactions, l.shards
      from inventory.live_resources l
      left join live_side s on s.live_id = l.id
     where l.org_id = ${tx.orgId}
       and l.cloud_account_id = ${accountId}
       and s.live_id is null
       and l.id <> all (${[...gone]}::uuid[])
  `;
}

/**
 * Compares `live_side`, whose ids are those of stored resources, with the inventory. Creates `compared` as
 * `compareWithInventory` does, and `found` with the stored matches of these resources.
 */
export async function compareDelta(tx: Transaction, accountId: string): Promise<void> {
  await tx`drop table if exists compared`;
  await tx`
    create temp table compared on commit drop as
    select s.live_id as listed_id, l.id as live_id, l.edition, l.ctid as place, l.content_hash <> s.content_hash as changed
      from live_side s
      join inventory.live_resources l on l.id = s.live_id
     where l.org_id = ${tx.orgId}
       and l.cloud_account_id = ${accountId}
       and ${isPresent(tx, "l")}
  `;
  await tx`analyze compared (live_id, changed)`;
  await tx`drop table if exists found`;
  await tx`
    create temp table found on commit drop as
    select c.live_id, l.iac_resource_id as iac_id, l.match_level as level, false as contested, true as chosen,
           l.match_conflict as conflict
      from compared c
      join inventory.live_resources l on l.id = c.live_id and l.edition = c.edition
     where l.org_id = ${tx.orgId}
       and l.cloud_account_id = ${accountId}
       and c.changed
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
