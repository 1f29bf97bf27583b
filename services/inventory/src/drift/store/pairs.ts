import type { StoredDeclared, StoredPair } from "@leeway/drift/changes/pair";
import { copyInto } from "@leeway/shared/database/copy-into";
import type { Row, Transaction } from "@leeway/shared/database/database";
import { copyLine } from "@leeway/shared/values/copy-text";

import { OWNER_LEVEL } from "../../matching/store/owner-level.ts";

/** Small enough that other work doesn't wait long for a batch's comparison. */
const PAIRS_A_BATCH = 250;
/** Separates hashed texts. JSON doesn't contain it. */
const SEPARATOR = "\u001F";

interface LiveRow extends Row {
  id: string;
  provider_type: string;
  provider_resource_id: string;
  enriched_at: Date | null;
  tags: string | null;
  properties: string;
  /** Null if the resource is declared through its owner, or not at all. */
  iac_resource_id: string | null;
  part_ids: string[];
  seen: string | null;
}

/**
 * Creates the temporary tables `live_pairs`, with the live resources that have something to compare, and `sightings`. Pairs that were equal
 * at the last comparison, by the same code and with the same contents, are left out. `gatherParts` and
 * `gatherPlanned` must run first, and the caller keeps the account's resources from changing.
 * @param seed number of the code and the settings that compare
 */
export async function gatherPairs(tx: Transaction, accountId: string, seed: bigint): Promise<void> {
  await tx`
    create temp table live_pairs on commit drop as
    with parts as (
      select p.live_id, array_agg(p.iac_id order by p.iac_id) as ids,
             string_agg(concat_ws(${SEPARATOR}, i.type, i.provider_name, m.iac_id, a.attributes), ${SEPARATOR}
                        order by p.iac_id) as text
        from (select * from live_parts) p
        join inventory.iac_resources i on i.org_id = ${tx.orgId} and i.id = p.iac_id
        left join inventory.declared_attributes a on a.org_id = ${tx.orgId} and a.iac_resource_id = p.iac_id
        left join lateral (
          select c.iac_resource_id as iac_id from inventory.matches c
           where c.org_id = ${tx.orgId} and c.iac_resource_id = p.iac_id
           limit 1
        ) m on true
       group by p.live_id
    ), compared as (
      select l.id, case when l.match_level < ${OWNER_LEVEL} then l.iac_resource_id end as iac_resource_id,
             coalesce(p.ids, '{}') as part_ids,
             hashtextextended(
               concat_ws(${SEPARATOR}, l.provider_type, l.properties, coalesce(l.tags, ''), i.type,
                         coalesce(i.provider_name, ''), a.attributes, p.text),
               ${String(seed)}::bigint
             ) as hash
        from inventory.live_resources l
        left join parts p on p.live_id = l.id
        left join inventory.iac_resources i on i.org_id = l.org_id and i.id = l.iac_resource_id
        left join inventory.declared_attributes a on a.org_id = l.org_id and a.iac_resource_id = l.iac_resource_id
       where l.org_id = ${tx.orgId}
         and l.cloud_account_id = ${accountId}
         and l.properties is not null
         and (l.match_level < ${OWNER_LEVEL} or p.live_id is not null)
    )
    select c.*, e.seen
      from compared c
      left join inventory.compared_resources e
        on e.org_id = ${tx.orgId} and e.cloud_account_id = ${accountId} and e.live_resource_id = c.id
     where e.equal_hash is distinct from c.hash
        or c.iac_resource_id in (select iac_resource_id from planned where kind = 'drift')
        or c.id in (
          select l.live_id
            from planned p
            join live_parts l on l.iac_id = p.iac_resource_id
           where p.kind = 'drift'
        )
  `;
  await tx`create temp table sightings (live_id uuid, seen text) on commit drop`;
  await tx`create index on live_pairs (id)`;
  await tx`analyze live_pairs`;
}

/** Adds what a comparison has shown of live resources, by their ids, to the temporary table `sightings`. */
export async function addSightings(tx: Transaction, seen: Readonly<Record<string, string>>): Promise<void> {
  const lines = Object.entries(seen).map((sighting) => copyLine(sighting));
  if (lines.length === 0) return;
  const copy = await tx.raw`copy sightings (live_id, seen) from stdin`.writable();
  await copyInto(copy, (write) => write(`${lines.join("\n")}\n`));
}

/** Keeps the results of comparing `live_pairs` for the next comparison. Live resources in `differing` will be compared again. */
export async function keepCompared(
  tx: Transaction,
  accountId: string,
  differing: readonly string[],
): Promise<void> {
  await tx`
    insert into inventory.compared_resources as c (org_id, cloud_account_id, live_resource_id, equal_hash, seen)
    select ${tx.orgId}, ${accountId}, p.id, case when d.id is null then p.hash end, s.seen
      from live_pairs p
      left join unnest(${[...differing]}::uuid[]) as d (id) on d.id = p.id
      left join sightings s on s.live_id = p.id
        on conflict (org_id, cloud_account_id, live_resource_id) do update
       set equal_hash = excluded.equal_hash, seen = coalesce(excluded.seen, c.seen)
     where (c.equal_hash, c.seen) is distinct from (excluded.equal_hash, coalesce(excluded.seen, c.seen))
  `;
  await tx`
    delete from inventory.compared_resources c
     where c.org_id = ${tx.orgId}
       and c.cloud_account_id = ${accountId}
       and not exists (
         select
           from inventory.live_resources l
          where l.org_id = ${tx.orgId}
            and l.cloud_account_id = c.cloud_account_id
            and l.id = c.live_resource_id
       )
  `;
}

/** Returns the pairs in `live_pairs` in batches. */
export async function* pairsOf(tx: Transaction): AsyncGenerator<StoredPair[]> {
  let after: string | undefined;
  do {
    const rows: LiveRow[] = await liveAfter(tx, after);
    after = rows.at(-1)?.id;
    const declared = await declaredById(tx, rows.flatMap(declaredIds));
    yield rows.flatMap((row) => pairsAt(row, declared));
  } while (after !== undefined);
}

function pairsAt(row: LiveRow, declared: ReadonlyMap<string, StoredDeclared>): StoredPair[] {
  const live = liveOf(row);
  const own = declared.get(row.iac_resource_id ?? "");
  const parts = row.part_ids.map((id) => declared.get(id)).filter((part) => part !== undefined);
  return [
    ...(own ? [{ live, declared: own, isPart: false, parts }] : []),
    // A part with a live resource of its own is compared with that.
    ...parts.filter((part) => !part.isListed).map((part) => ({ live, declared: part, isPart: true, parts })),
  ];
}

function liveAfter(tx: Transaction, after: string | undefined): Promise<LiveRow[]> {
  return tx<LiveRow>`
    select l.id, l.provider_type, l.provider_resource_id, l.tags, l.properties, p.part_ids, p.iac_resource_id, p.seen,
           case when l.enrichment_status = 'enriched' then l.enriched_at end as enriched_at
      from (
        select id, iac_resource_id, part_ids, seen
          from live_pairs
         ${after === undefined ? tx.part`` : tx.part`where id > ${after}`}
         order by id
         limit ${PAIRS_A_BATCH}
      ) p
     cross join lateral (
       select * from inventory.live_resources where org_id = ${tx.orgId} and id = p.id limit 1
     ) l
     order by l.id
  `;
}

function liveOf(row: LiveRow): StoredPair["live"] {
  return {
    id: row.id,
    providerType: row.provider_type,
    providerResourceId: row.provider_resource_id,
    enrichedAt: row.enriched_at ?? undefined,
    tags: row.tags ?? undefined,
    properties: row.properties,
    seen: row.seen ?? undefined,
  };
}

function declaredIds({ iac_resource_id: own, part_ids: parts }: LiveRow): string[] {
  return own === null ? parts : [own, ...parts];
}

export async function declaredById(
  tx: Transaction,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredDeclared>> {
  const rows = await tx<{
    id: string;
    source_id: string;
    type: string;
    address: string;
    module_address: string | null;
    provider_name: string | null;
    attributes: string;
    is_listed: boolean;
  }>`
    select i.id, i.source_id, i.type, i.address, i.module_address, i.provider_name, a.attributes,
           m.is_listed is not null as is_listed
      from inventory.declared_attributes a
      join inventory.iac_resources i on i.id = a.iac_resource_id
      left join (
        select distinct iac_resource_id, true as is_listed
          from inventory.matches
         where org_id = ${tx.orgId}
           and iac_resource_id = any (${[...ids]}::uuid[])
      ) m on m.iac_resource_id = i.id
     where a.org_id = ${tx.orgId}
       and a.iac_resource_id = any (${[...ids]}::uuid[])
       and i.org_id = ${tx.orgId}
       and i.id = any (${[...ids]}::uuid[])
  `;
  return new Map(
    rows.map((row) => [
      row.id,
      {
        id: row.id,
        sourceId: row.source_id,
        type: row.type,
        address: row.address,
        moduleAddress: row.module_address ?? undefined,
        providerName: row.provider_name ?? undefined,
        attributes: row.attributes,
        isListed: row.is_listed,
      },
    ]),
  );
}
