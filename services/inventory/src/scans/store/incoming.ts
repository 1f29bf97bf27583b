import type { Transaction } from "@leeway/shared/database/database";

import { enrichedColumns, isPresent } from "../../matching/store/editions.ts";

/**
 * Compares `live_side` and `found` with the inventory, except for rows that the open edition replaces. The temporary table `compared` has a row for each resource of `live_side`: its id,
 * edition and place in the inventory (null for a new resource), and whether it or its match has `changed`.
 */
export async function compareWithInventory(
  tx: Transaction,
  accountId: string,
  disabledRules: string[],
): Promise<void> {
  await tx`drop table if exists compared`;
  await tx`
    create temp table compared on commit drop as
    select s.live_id as listed_id, l.id as live_id, l.edition, l.place,
           l.id is not null
             and (l.content_hash <> s.content_hash
                  or s.kept <> (l.overlooked_since is not null)
                  or s.shards is distinct from l.shards
                  or (l.match_status, l.match_level, l.match_conflict, l.iac_resource_id) is distinct from
                     (s.match_status, s.level, s.conflict, s.iac_id)) as changed
      from (
        select s.live_id, s.provider_type, s.provider_resource_id, s.content_hash, s.kept, s.shards, f.iac_id, f.level,
               coalesce(f.conflict, false) as conflict,
               inventory.match_status(f.iac_id, s.exclusion, ${disabledRules}, s.mapped) as match_status
          from live_side s
          left join found f on f.live_id = s.live_id and f.chosen
      ) s
      left join (
        select *, ctid as place
          from inventory.live_resources i
         where org_id = ${tx.orgId}
           and cloud_account_id = ${accountId}
           and ${isPresent(tx, "i")}
      ) l
        on l.provider_type = s.provider_type
       and inventory.identity(l.provider_resource_id) = inventory.identity(s.provider_resource_id)
  `;
  // Mostly, few resources are new or changed. With statistics, PostgreSQL doesn't read everything again.
  await tx`analyze compared (live_id, changed)`;
  await tx`
    update found f set live_id = c.live_id from compared c where c.listed_id = f.live_id and c.live_id is not null
  `;
}

/** Numbers of resources that a scan added and removed. */
export interface Changes {
  created: number;
  gone: number;
}

/** Adds resources of the account that `compared` lacks to `superseded`. @returns their number */
export async function markGone(tx: Transaction, accountId: string): Promise<number> {
  // A row that `insertNew` added has the id under which it is listed.
  const gone = await tx`
    insert into superseded (cloud_account_id, live_id, edition, place, is_gone)
    select l.cloud_account_id, l.id, l.edition, l.ctid, true
      from inventory.live_resources l
     where l.org_id = ${tx.orgId}
       and l.cloud_account_id = ${accountId}
       and not exists (
         select from (select coalesce(live_id, listed_id) as id from compared) c where c.id = l.id
       )
  `;
  return gone.count;
}

/**
 * Writes the changed resources of `compared` as rows of the open `edition`, except those that belong to it already.
 * @returns their number
 */
export async function rewriteChanged(
  tx: Transaction,
  accountId: string,
  { edition, disabled }: { edition: number; disabled: string[] },
): Promise<number> {
  const enriched = enrichedValues(tx);
  await tx`
    insert into inventory.live_resources (
      org_id, id, edition, cloud_account_id, provider_resource_id, provider_type, normalized_type, region, name,
      content_hash, mapped, keys, owner_keys, exclusion, cloud_created_at, tags, ${enrichedColumns(tx)},
      match_status, match_level, match_conflict, iac_resource_id, shards, first_seen_at, seen_at, overlooked_since
    )
    select l.org_id, l.id, ${edition}::integer, l.cloud_account_id, l.provider_resource_id, l.provider_type,
           s.normalized_type, s.region, s.name, s.content_hash, s.mapped, s.keys, s.owner_keys, s.exclusion,
           coalesce(s.cloud_created_at, l.cloud_created_at), s.tags, ${enriched},
           s.match_status, s.level, s.conflict, s.iac_id, s.shards, l.first_seen_at, l.seen_at,
           case
             when s.kept then coalesce(
               l.overlooked_since,
               (
                 select greatest(l.seen_at, a.swept_at)
                   from inventory.cloud_accounts a
                  where a.org_id = ${tx.orgId}
                    and a.id = ${accountId}
               )
             )
           end
      from (${changed(tx, disabled)} and c.edition <> ${edition}) s
      join inventory.live_resources l on l.id = s.live_id and l.edition = s.edition
     where l.org_id = ${tx.orgId}
       and l.cloud_account_id = ${accountId}
    ${tx.withoutCopy}
  `;
  const rewritten = await tx`
    insert into superseded (cloud_account_id, live_id, edition, place)
    select ${accountId}, live_id, edition, place from compared where changed and edition <> ${edition}
  `;
  return rewritten.count;
}

/** Updates the matches of changed resources of `compared` that belong to the open `edition`. */
export async function matchRewritten(
  tx: Transaction,
  accountId: string,
  { edition, disabled }: { edition: number; disabled: string[] },
): Promise<void> {
  await tx`
    update inventory.live_resources l
       set match_status = s.match_status, match_level = s.level, match_conflict = s.conflict, iac_resource_id = s.iac_id
      from (${changed(tx, disabled)} and c.edition = ${edition}) s
     where l.org_id = ${tx.orgId}
       and l.cloud_account_id = ${accountId}
       and l.id = s.live_id
       and l.edition = s.edition
  `;
}

/** Returns a query of the changed resources of `compared` with their match. The caller may add a condition on c. */
function changed({ part }: Transaction, disabledRules: string[]) {
  return part`
    select c.live_id, c.edition, s.normalized_type, s.region, s.name, s.content_hash, s.mapped, s.keys, s.owner_keys,
           s.exclusion, s.cloud_created_at, s.tags, s.properties, s.redactions, s.enrichment_status, s.shards, s.kept,
           f.iac_id, f.level, coalesce(f.conflict, false) as conflict,
           inventory.match_status(f.iac_id, s.exclusion, ${disabledRules}, s.mapped) as match_status
      from compared c
      join live_side s on s.live_id = c.listed_id
      left join found f on f.live_id = c.live_id and f.chosen
     where c.changed
  `;
}

/** Returns for `removeSuperseded` what stays of an earlier row l. */
export const keptEnrichment = (tx: Transaction) => ({
  values: enrichedValues(tx),
  from: tx.part`
         join compared c on c.live_id = l.id
         join live_side s on s.live_id = c.listed_id
  `,
});

/**
 * Returns the values of `enrichedColumns`, from the stored row l and the listed row s. The enriched ones stay unless the
 * cloud has re-created the resource under its old id.
 */
function enrichedValues({ part }: Transaction) {
  const stays = part`(
    s.enrichment_status = 'none' and l.enrichment_status <> 'n/a'
    and (l.cloud_created_at <> s.cloud_created_at) is not true
  )`;
  const isRead = part`(${stays} and (l.enrichment_status = 'enriched' or l.read_at is not null))`;
  return part`
    case when ${isRead} then inventory.overlaid(l.properties, s.properties) else s.properties end,
    case when ${isRead} then inventory.united(l.redactions, s.redactions) else s.redactions end,
    case when ${stays} then l.enrichment_status else s.enrichment_status end,
    case when ${stays} then l.enrichment_failure_reason end,
    case when ${stays} then l.read_at end,
    case when ${stays} then l.enriched_at when s.enrichment_status = 'enriched' then now() end
  `;
}

/** Inserts the new resources of `compared`. @returns their number */
export async function insertNew(
  tx: Transaction,
  accountId: string,
  disabledRules: string[],
): Promise<number> {
  const result = await tx`
    ${insertLive(tx, accountId, disabledRules)}
      join compared c on c.listed_id = s.live_id and c.live_id is null
      left join found v on v.live_id = s.live_id and v.chosen
      ${tx.withoutCopy}
  `;
  return result.count;
}

/**
 * Inserts the rows of `live_side` after a place (see `lastPlace`) into an account that has none of these resources.
 * The rows must have the `EARLY_COLUMNS`.
 */
export async function insertEarly(
  tx: Transaction,
  accountId: string,
  { behind, disabled }: { behind: string; disabled: string[] },
): Promise<number> {
  const result = await tx`
    with matched as (
      insert into inventory.matches (org_id, iac_resource_id, cloud_account_id, live_resource_id, level, contested)
      select ${tx.orgId}, iac_id, ${accountId}, live_id, level, false
        from live_side
       where ctid > ${behind}::tid
         and iac_id is not null
      ${tx.withoutCopy}
    )
    ${insertLive(tx, accountId, disabled)}
     cross join lateral (select s.iac_id, s.level, false as conflict) v
     where s.ctid > ${behind}::tid
      ${tx.withoutCopy}
  `;
  return result.count;
}

/** Returns an insert of `live_side` s and its verdict v (iac_id, level, conflict). The caller joins v. */
function insertLive(tx: Transaction, accountId: string, disabledRules: string[]) {
  return tx.part`
    insert into inventory.live_resources (
      org_id, id, cloud_account_id, provider_resource_id, provider_type, normalized_type, region, name,
      content_hash, mapped, keys, owner_keys, exclusion, cloud_created_at, tags, properties, redactions,
      enrichment_status, enriched_at, match_status, match_level, match_conflict, iac_resource_id, shards,
      first_seen_at, seen_at
    )
    select ${tx.orgId}, s.live_id, ${accountId}, s.provider_resource_id, s.provider_type, s.normalized_type, s.region,
           s.name, s.content_hash, s.mapped, s.keys, s.owner_keys, s.exclusion, s.cloud_created_at, s.tags,
           s.properties, s.redactions, s.enrichment_status,
           case when s.enrichment_status = 'enriched' then now() end,
           inventory.match_status(v.iac_id, s.exclusion, ${disabledRules}, s.mapped), v.level,
           coalesce(v.conflict, false), v.iac_id, s.shards, now(), now()
      from live_side s
  `;
}
