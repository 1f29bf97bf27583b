import type { Row, Transaction } from "@leeway/shared/database/database";
import type { JsonObject } from "@leeway/shared/json";

/** A live resource and the declared one that it is matched with, as far as both tell their attributes. */
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
  declared: {
    id: string;
    sourceId: string;
    type: string;
    address: string;
    moduleAddress: string | undefined;
    providerName: string | undefined;
    attributes: JsonObject;
  };
}

/** Few enough that nobody waits long while they are compared. */
const PAIRS_A_BATCH = 250;
/** What goes by its owner is declared with it, not by it. */
const OWNER_LEVEL = 5;

interface LiveRow extends Row {
  id: string;
  provider_type: string;
  provider_resource_id: string;
  enriched_at: Date | null;
  tags: string | null;
  properties: string;
  iac_resource_id: string;
}

/** The pairs of an account that can be compared, batch by batch. The caller sees to it that none changes meanwhile. */
export async function* pairsOf(tx: Transaction, accountId: string): AsyncGenerator<Pair[]> {
  let after: string | undefined;
  do {
    const rows: LiveRow[] = await liveAfter(tx, accountId, after);
    after = rows.at(-1)?.id;
    const declared = await declaredById(tx, rows);
    yield rows.flatMap((row) => {
      const one = declared.get(row.iac_resource_id);
      return one ? [{ live: liveOf(row), declared: one }] : [];
    });
  } while (after !== undefined);
}

function liveAfter(tx: Transaction, accountId: string, after: string | undefined): Promise<LiveRow[]> {
  return tx<LiveRow>`
    select id, provider_type, provider_resource_id, tags, properties, iac_resource_id,
           case when enrichment_status = 'enriched' then enriched_at end as enriched_at
      from inventory.live_resources
     where org_id = ${tx.orgId}
       and cloud_account_id = ${accountId}
       ${after === undefined ? tx.part`` : tx.part`and id > ${after}`}
       and match_level < ${OWNER_LEVEL}
       and iac_resource_id is not null
       and properties is not null
     order by id
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
): Promise<ReadonlyMap<string, Pair["declared"]>> {
  const ids = live.map((row) => row.iac_resource_id);
  const rows = await tx<{
    id: string;
    source_id: string;
    type: string;
    address: string;
    module_address: string | null;
    provider_name: string | null;
    attributes: string;
  }>`
    select i.id, i.source_id, i.type, i.address, i.module_address, i.provider_name, a.attributes
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
      },
    ]),
  );
}
