import type { Row, Transaction } from "@leeway/shared/database/database";
import type { JsonObject } from "@leeway/shared/json";

import { OWNER_LEVEL } from "../../matching/owner-level.ts";

/** A live resource and a declared one that is the same, or a part of it; as far as both tell their attributes. */
export interface Pair {
  live: {
    id: string;
    providerType: string;
    providerResourceId: string;
    /** When it was asked for; undefined for what its account's listing has. */
    enrichedAt: Date | undefined;
    tags: Record<string, string> | undefined;
    properties: JsonObject;
  };
  declared: Declared;
  /** Whether the declared resource is only a part of the live one. */
  isPart: boolean;
  /** All that is declared to be a part of the live resource. */
  parts: readonly Declared[];
}

/** What a state has of a resource. */
interface Declared {
  id: string;
  sourceId: string;
  type: string;
  address: string;
  moduleAddress: string | undefined;
  providerName: string | undefined;
  attributes: JsonObject;
  /** Whether a listing shows it by itself. */
  isListed: boolean;
}

/** Few enough that nobody waits long while they are compared. */
const PAIRS_A_BATCH = 250;

interface LiveRow extends Row {
  id: string;
  provider_type: string;
  provider_resource_id: string;
  enriched_at: Date | null;
  tags: string | null;
  properties: string;
  /** Null for what is declared through its owner, or not at all. */
  iac_resource_id: string | null;
  part_ids: string[];
}

/**
 * The pairs of an account that can be compared, batch by batch, once its parts are gathered (see `gatherParts`). The
 * caller sees to it that none changes meanwhile.
 */
export async function* pairsOf(tx: Transaction, accountId: string): AsyncGenerator<Pair[]> {
  let after: string | undefined;
  do {
    const rows: LiveRow[] = await liveAfter(tx, accountId, after);
    after = rows.at(-1)?.id;
    const declared = await declaredById(tx, rows);
    yield rows.flatMap((row) => pairsAt(row, declared));
  } while (after !== undefined);
}

function pairsAt(row: LiveRow, declared: ReadonlyMap<string, Declared>): Pair[] {
  const live = liveOf(row);
  const own = declared.get(row.iac_resource_id ?? "");
  const parts = row.part_ids.map((id) => declared.get(id)).filter((part) => part !== undefined);
  return [
    ...(own ? [{ live, declared: own, isPart: false, parts }] : []),
    // What is listed by itself is compared there.
    ...parts.filter((part) => !part.isListed).map((part) => ({ live, declared: part, isPart: true, parts })),
  ];
}

function liveAfter(tx: Transaction, accountId: string, after: string | undefined): Promise<LiveRow[]> {
  return tx<LiveRow>`
    select l.id, l.provider_type, l.provider_resource_id, l.tags, l.properties, p.ids as part_ids,
           case when l.match_level < ${OWNER_LEVEL} then l.iac_resource_id end as iac_resource_id,
           case when l.enrichment_status = 'enriched' then l.enriched_at end as enriched_at
      from inventory.live_resources l
     cross join lateral (
       select array(select iac_id from live_parts where live_id = l.id order by iac_id) as ids
     ) p
     where l.org_id = ${tx.orgId}
       and l.cloud_account_id = ${accountId}
       ${after === undefined ? tx.part`` : tx.part`and l.id > ${after}`}
       and l.properties is not null
       and (l.match_level < ${OWNER_LEVEL} or p.ids <> '{}')
     order by l.id
     limit ${PAIRS_A_BATCH}
  `;
}

function liveOf(row: LiveRow): Pair["live"] {
  return {
    id: row.id,
    providerType: row.provider_type,
    providerResourceId: row.provider_resource_id,
    enrichedAt: row.enriched_at ?? undefined,
    tags: row.tags === null ? undefined : JSON.parse(row.tags),
    properties: JSON.parse(row.properties),
  };
}

async function declaredById(
  tx: Transaction,
  live: readonly LiveRow[],
): Promise<ReadonlyMap<string, Declared>> {
  const ids = live.flatMap(({ iac_resource_id: own, part_ids }) =>
    own === null ? part_ids : [own, ...part_ids],
  );
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
           exists (
             select from inventory.matches m where m.org_id = ${tx.orgId} and m.iac_resource_id = i.id
           ) as is_listed
      from inventory.declared_attributes a
      join inventory.iac_resources i on i.id = a.iac_resource_id
     where a.org_id = ${tx.orgId}
       and a.iac_resource_id = any (${ids}::uuid[])
       and i.org_id = ${tx.orgId}
       and i.id = any (${ids}::uuid[])
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
        attributes: JSON.parse(row.attributes),
        isListed: row.is_listed,
      },
    ]),
  );
}
