import type { Transaction } from "@leeway/shared/database/database";

/** Changes of a listing, by the resources that they concern. */
export interface Delta {
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
 * Compares rows that had to be read with the stored resources of their ids, and creates `compared` as
 * `compareWithInventory` does, with the stored matches. No edition may have a row of the account yet.
 * @returns `same` if only contents have changed, so that every match stays; `other` if resources are new, gone or
 * identified otherwise; `unknown` if an id isn't that of the row's resource
 */
export async function compareDelta(
  tx: Transaction,
  accountId: string,
  { read, created, gone }: Delta,
): Promise<"same" | "other" | "unknown"> {
  await tx`analyze live_side (live_id)`;
  await mayLookUp(tx, read <= MAX_LOOK_UPS);
  await tx`drop table if exists compared`;
  await tx`
    create temp table compared on commit drop as
    select s.live_id as listed_id, l.id as live_id, l.edition, l.place, l.content_hash <> s.content_hash as changed,
           l.iac_resource_id as iac_id, l.match_level as level, l.match_conflict as conflict,
           l.provider_type <> s.provider_type
             or inventory.identity(l.provider_resource_id) <> inventory.identity(s.provider_resource_id) as strange,
           (l.keys, l.owner_keys, l.region, l.exclusion, l.mapped)
             is distinct from (s.keys, s.owner_keys, s.region, s.exclusion, s.mapped) as moved
      from (
        select live_id, provider_resource_id, provider_type, content_hash, keys, owner_keys, region, exclusion, mapped
          from live_side
      ) s
      left join (
        select *, ctid as place
          from inventory.live_resources
         where org_id = ${tx.orgId}
           and cloud_account_id = ${accountId}
      ) l on l.id = s.live_id
  `;
  await tx`analyze compared (live_id, changed)`;
  const [row] = await tx<{ fresh: number; strange: boolean; moved: boolean }>`
    select count(*) filter (where live_id is null)::integer as fresh, coalesce(bool_or(strange), false) as strange,
           coalesce(bool_or(moved and live_id is not null), false) as moved
      from compared
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
      left join (select live_id from live_side) s on s.live_id = l.id
     where l.org_id = ${tx.orgId}
       and l.cloud_account_id = ${accountId}
       and s.live_id is null
       and l.id <> all (${[...gone]}::uuid[])
  `;
}

/** Creates `found` with the stored matches of changed resources in `compared`, the result of `compareDelta`. */
export async function findAsBefore(tx: Transaction): Promise<void> {
  await tx`drop table if exists found`;
  await tx`
    create temp table found on commit drop as
    select live_id, iac_id, level, false as contested, true as chosen, conflict
      from compared
     where changed
       and iac_id is not null
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
