import { SAME_KIND } from "@leeway/clouds/aws/rds-family";
import { copyInto } from "@leeway/shared/database/copy-into";
import type { Transaction } from "@leeway/shared/database/database";
import { EARLY_COLUMNS, LISTED_COLUMNS } from "@leeway/clouds/reading/listed-line";

/** Creates the temporary table `live_side` for the resources that are taken to be live in an account. */
export async function createLiveSide(tx: Transaction): Promise<void> {
  await tx`
    create temp table live_side (
      live_id uuid, provider_resource_id text, provider_type text, normalized_type text, canonical_type text,
      region text, name text, content_hash bigint, mapped boolean, keys text[], owner_keys text[], exclusion text,
      cloud_created_at text, enrichment_status text, tags text, properties text, redactions text, shards text[],
      iac_id uuid, level smallint, -- set if the line came with its match
      entry bytea, -- the row that it was read from
      kept boolean not null default false -- kept although not listed, because the listing couldn't show it
    ) on commit drop
  `;
}

/** Adds lines of a listing to `live_side`. @param early whether they have the `EARLY_COLUMNS`, too */
export async function copyIntoLiveSide(
  tx: Transaction,
  pieces: readonly (string | Uint8Array)[],
  { early = false } = {},
): Promise<void> {
  const columns = early ? [...LISTED_COLUMNS, ...EARLY_COLUMNS] : LISTED_COLUMNS;
  const copy = await tx.raw`copy live_side (${tx.part(columns)}) from stdin`.writable();
  await copyInto(copy, async (write) => {
    for (const lines of pieces) await write(lines);
  });
}

/** The place before the first row. */
export const FIRST_PLACE = "(0,0)";

/**
 * Returns the place of the last row of `live_side`, to which rows are only added. @param behind the place to search
 * from
 */
export async function lastPlace(tx: Transaction, behind: string): Promise<string> {
  const [row] = await tx<{ place: string | null }>`
    select max(ctid)::text as place from live_side where ctid > ${behind}::tid
  `;
  return row?.place ?? behind;
}

/**
 * Returns the type within which a row's id is unique. RDS, Neptune and DocumentDB each list resources of all three,
 * and an ARN names the same resource whatever the type.
 */
function kind({ part }: Transaction, row: string) {
  const [type, id] = [part(`${row}.provider_type`), part(`${row}.provider_resource_id`)];
  return part`
    case
      when ${id} like 'arn:%:rds:%' then regexp_replace(${type}, ${SAME_KIND.beginning}, ${SAME_KIND.instead})
      else ${type}
    end
  `;
}

/**
 * Deletes duplicates from `live_side`. The row with the most data stays, preferably one with an engine, which sets
 * its type.
 */
export async function dropDuplicates(tx: Transaction): Promise<void> {
  await tx`
    delete from live_side s
     using (
       select live_id,
              row_number() over (
                partition by ${kind(tx, "one")}, inventory.identity(provider_resource_id)
                order by properties is null, strpos(properties, '"Engine":') = 0, tags is null, region,
                         provider_type desc, live_id -- makes the choice deterministic
              ) as place
         from live_side one
        where (${kind(tx, "one")}, inventory.identity(provider_resource_id)) in (
          select ${kind(tx, "other")}, inventory.identity(provider_resource_id)
            from live_side other
           group by 1, 2
          having count(*) > 1
        )
     ) twice
     where s.live_id = twice.live_id
       and twice.place > 1
  `;
}

/** Stores all shards that show a resource. It is gone only when all of them are listed without it. */
export async function joinShards(tx: Transaction): Promise<void> {
  await tx`
    update live_side s
       set shards = shown.shards
      from (
        select ${kind(tx, "one")} as kind, inventory.identity(provider_resource_id) as identity,
               array_agg(distinct shards[1] order by shards[1]) as shards
          from live_side one
         group by 1, 2
        having count(*) > 1
      ) shown
     where shown.kind = ${kind(tx, "s")}
       and inventory.identity(s.provider_resource_id) = shown.identity
  `;
}

/** Resources whose absence from a scan says nothing: those of some types or all, in one region or all. */
export interface Hidden {
  region: string | undefined;
  types: readonly string[] | undefined;
  /** Types that aren't hidden, even though all others are. */
  except: readonly string[];
  /** Whether tagged resources are shown. */
  untaggedOnly?: boolean;
  /** Whether a resource is kept for one scan only, and only if an earlier scan has shown it. */
  once?: boolean;
}

/** Everything. A scan of a part of the account, or an incomplete listing, may hide any resource. */
export const ALL_HIDDEN: readonly Hidden[] = [{ region: undefined, types: undefined, except: [] }];

/** A scan, and the resources that may exist although it didn't show them. */
interface Overlooking {
  scanId: string;
  hidden: readonly Hidden[];
}

/**
 * Adds to `live_side` the resources of the inventory that the scan couldn't see: those whose shard, or its part for
 * their type, wasn't listed. Resources without a shard in this scan, or without a known one, are added if they are
 * `hidden`.
 */
export async function keepOverlooked(
  tx: Transaction,
  accountId: string,
  overlooking: Overlooking,
): Promise<void> {
  await tx`
    with ${overlooked(tx, accountId, overlooking)}
    insert into live_side (
      live_id, provider_resource_id, provider_type, normalized_type, region, name, content_hash, mapped, keys,
      owner_keys, exclusion, cloud_created_at, enrichment_status, tags, properties, redactions, shards, kept
    )
    select l.id, l.provider_resource_id, l.provider_type, l.normalized_type, l.region, l.name, l.content_hash, l.mapped,
           l.keys, l.owner_keys, l.exclusion, l.cloud_created_at,
           case when l.enrichment_status = 'n/a' then 'n/a' else 'none' end, -- the enricher's result is kept
           l.tags, l.properties, l.redactions, l.shards, true
      from inventory.live_resources l
      join overlooked o
        on o.shards = coalesce(l.shards, '{}')
       and o.provider_type = l.provider_type
       and o.region = coalesce(l.region, '')
       and o.untagged = (l.tags is null)
       and not (o.once and l.overlooked_since is not null)
     where l.org_id = ${tx.orgId}
       and l.cloud_account_id = ${accountId}
       and not exists (
         select
           from (select provider_type, provider_resource_id from live_side) s
          where ${kind(tx, "s")} = ${kind(tx, "l")}
            and inventory.identity(s.provider_resource_id) = inventory.identity(l.provider_resource_id)
       )
  `;
}

/**
 * Returns the table expression `overlooked`, with those before it: places in the inventory that a scan couldn't see.
 */
function overlooked({ part, orgId }: Transaction, accountId: string, { scanId, hidden }: Overlooking) {
  return part`
    place as (
      select coalesce(shards, '{}') as shards, provider_type, coalesce(region, '') as region, tags is null as untagged
        from inventory.live_resources
       where org_id = ${orgId}
         and cloud_account_id = ${accountId}
       group by 1, 2, 3, 4
    ), looked_at as (
      select p.*, bool_and(h.key is not null) as planned,
             bool_or(h.status = 'failed' and (p.provider_type <> all (h.failed_types)) is not true) as failed
        from place p
        left join unnest(p.shards) as shown (key) on true
        left join inventory.scan_shards h
          on h.org_id = ${orgId}
         and h.scan_id = ${scanId}
         and h.key = shown.key
       group by p.shards, p.provider_type, p.region, p.untagged
    ), overlooked as materialized (
      select o.shards, o.provider_type, o.region, o.untagged, not coalesce(o.failed, false) and bool_and(coalesce(h.once, false)) as once
        from looked_at o
        left join jsonb_to_recordset(${JSON.stringify(hidden)}::text::jsonb)
                    as h (region text, types text[], "except" text[], "untaggedOnly" boolean, once boolean)
          on not o.planned
         and (h.region is null or o.region in ('', h.region))
         and (h.types is null or o.provider_type = any (h.types))
         and o.provider_type <> all (h."except")
         and (o.untagged or not coalesce(h."untaggedOnly", false))
         and (o.shards <> '{}' or not coalesce(h.once, false))
       where o.failed or h."except" is not null
       group by o.shards, o.provider_type, o.region, o.untagged, o.failed
    )
  `;
}

/** Adds to `live_side` properties that the scan wasn't allowed to read, from the same resources in the inventory. */
export async function keepUntold(tx: Transaction, accountId: string, scanId: string): Promise<void> {
  const untold = await tx<{ key: string; untold: string[] }>`
    select key, untold
      from inventory.scan_shards
     where org_id = ${tx.orgId}
       and scan_id = ${scanId}
       and untold is not null
  `;
  if (untold.length === 0) return; // mostly
  await tx`drop table if exists known`;
  await tx`
    create temp table known on commit drop as
    select s.live_id, s.untold, l.properties, l.redactions
      from (
        select n.*, h.untold
          from live_side n
          join jsonb_to_recordset(${tx.part.json(untold)}) as h (key text, untold text[]) on h.key = any (n.shards)
         where pg_input_is_valid(n.properties, 'jsonb')
      ) s
      join inventory.live_resources l
        on l.provider_type = s.provider_type
       and inventory.identity(l.provider_resource_id) = inventory.identity(s.provider_resource_id)
     where l.org_id = ${tx.orgId}
       and l.cloud_account_id = ${accountId}
       and (l.cloud_created_at <> s.cloud_created_at) is not true
       and pg_input_is_valid(l.properties, 'jsonb')
  `;
  await tx`
    update live_side s
       set properties = (k.properties || s.properties::jsonb)::text,
           redactions = inventory.united(k.redactions::text, s.redactions)
      from (
        select l.live_id, kept.properties, kept.redactions
          from known l
         cross join lateral (
           select jsonb_object_agg(name, l.properties::jsonb -> name) as properties,
                  jsonb_agg(pointer) filter (where pointer is not null) as redactions
             from unnest(l.untold) name
             left join jsonb_array_elements_text(l.redactions::jsonb) pointer on starts_with(pointer, '/' || name || '/')
            where l.properties::jsonb ? name
         ) kept
      ) k
     where k.live_id = s.live_id
       and k.properties is not null
  `;
}

/** Returns the canonical types in the listing. */
export async function liveTypes(tx: Transaction): Promise<string[]> {
  const rows = await tx<{ type: string }>`
    select distinct canonical_type as type from live_side where canonical_type is not null
  `;
  return rows.map(({ type }) => type);
}

/** Returns whether `live_side` has any resource. */
export async function isAnythingLive(tx: Transaction): Promise<boolean> {
  const [row] = await tx`select 1 from live_side limit 1`;
  return row !== undefined;
}
