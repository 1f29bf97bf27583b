import type { Transaction } from "@leeway/shared/database/database";

/**
 * Compares `live_side` and `found` with the inventory: the temporary table `compared` has for each resource of
 * `live_side` the id that it has there, null for a new one; whether anything is `changed` of it or of its match; and
 * whether what an enricher has added to it stays: it does unless the cloud has made the resource anew under its old id.
 */
export async function compareWithInventory(
  tx: Transaction,
  accountId: string,
  disabledRules: string[],
): Promise<void> {
  await tx`
    create temp table compared on commit drop as
    select s.live_id as listed_id, l.id as live_id,
           l.id is not null
             and (l.content_hash <> s.content_hash
                  or s.kept <> (l.overlooked_since is not null)
                  or s.shards is distinct from l.shards
                  or (l.match_status, l.match_level, l.match_conflict, l.iac_resource_id) is distinct from
                     (inventory.match_status(f.iac_id, s.exclusion, ${disabledRules}, s.mapped), f.level,
                      coalesce(f.conflict, false), f.iac_id)) as changed,
           s.enrichment_status = 'none' and l.enrichment_status <> 'n/a'
             and (l.cloud_created_at <> s.cloud_created_at) is not true as enriched
      from live_side s
      left join inventory.live_resources l
        on l.org_id = ${tx.orgId}
       and l.cloud_account_id = ${accountId}
       and l.provider_type = s.provider_type
       and inventory.identity(l.provider_resource_id) = inventory.identity(s.provider_resource_id)
      left join found f on f.live_id = s.live_id and f.chosen
  `;
  // Mostly nothing is new or changed: once PostgreSQL knows that, it needn't look at everything again.
  await tx`analyze compared (live_id, changed)`;
  await tx`
    update found f set live_id = c.live_id from compared c where c.listed_id = f.live_id and c.live_id is not null
  `;
}

/** What a scan changed in the inventory. */
export interface Changes {
  created: number;
  gone: number;
}

/** Makes the inventory of the account what `live_side` and `found` say. Unchanged rows aren't touched. */
export async function mergeIncoming(
  tx: Transaction,
  accountId: string,
  disabledRules: string[],
): Promise<Changes> {
  const gone = await tx`
    delete from inventory.live_resources l
     where l.org_id = ${tx.orgId}
       and l.cloud_account_id = ${accountId}
       and not exists (select from compared c where c.live_id = l.id)
  `;
  await updateChanged(tx, accountId, disabledRules);
  const created = await insertNew(tx, accountId, disabledRules);
  return { created, gone: gone.count };
}

async function updateChanged(tx: Transaction, accountId: string, disabledRules: string[]): Promise<void> {
  await tx`
    update inventory.live_resources l
       set normalized_type = s.normalized_type, region = s.region, name = s.name, content_hash = s.content_hash,
           mapped = s.mapped, keys = s.keys, owner_keys = s.owner_keys, exclusion = s.exclusion,
           cloud_created_at = coalesce(s.cloud_created_at, l.cloud_created_at), tags = s.tags,
           properties = case
             when c.enriched and (l.enrichment_status = 'enriched' or l.read_at is not null)
               then inventory.overlaid(l.properties, s.properties)
             else s.properties
           end,
           redactions = case
             when c.enriched and (l.enrichment_status = 'enriched' or l.read_at is not null)
               then inventory.united(l.redactions, s.redactions)
             else s.redactions
           end,
           enrichment_status = case when c.enriched then l.enrichment_status else s.enrichment_status end,
           enrichment_failure_reason = case when c.enriched then l.enrichment_failure_reason end,
           read_at = case when c.enriched then l.read_at end,
           enriched_at = case
             when c.enriched then l.enriched_at
             when s.enrichment_status = 'enriched' then now()
           end,
           match_status = inventory.match_status(f.iac_id, s.exclusion, ${disabledRules}, s.mapped),
           match_level = f.level, match_conflict = coalesce(f.conflict, false), iac_resource_id = f.iac_id,
           shards = s.shards,
           overlooked_since = case
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
      from compared c
      join live_side s on s.live_id = c.listed_id
      left join found f on f.live_id = c.live_id and f.chosen
     where l.org_id = ${tx.orgId}
       and l.id = c.live_id
       and c.changed
  `;
}

async function insertNew(tx: Transaction, accountId: string, disabledRules: string[]): Promise<number> {
  const result = await tx`
    ${insertLive(tx, accountId, disabledRules)}
      join compared c on c.listed_id = s.live_id and c.live_id is null
      left join found v on v.live_id = s.live_id and v.chosen
  `;
  return result.count;
}

/**
 * Adds the rows of `live_side` behind a place (`lastPlace`), whose lines tell early, to the inventory of an account that
 * has nothing of them.
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
    )
    ${insertLive(tx, accountId, disabled)}
     cross join lateral (select s.iac_id, s.level, false as conflict) v
     where s.ctid > ${behind}::tid
  `;
  return result.count;
}

/** An insert of `live_side` s and its verdict v (iac_id, level, conflict), which its caller joins. */
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
