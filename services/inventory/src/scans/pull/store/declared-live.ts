import type { Database, OrgStatements, Row } from "@leeway/shared/database/database";
import type { JsonObject } from "@leeway/shared/values/json";
import type { Redaction } from "@leeway/shared/security/redaction/redact";

import { gatherParts } from "../../../drift/store/parts.ts";
import { OWNER_LEVEL } from "../../../matching/store/owner-level.ts";

/** A live resource that is declared, or has a declared part. */
export interface DeclaredLive {
  id: string;
  providerId: string;
  type: string;
  region: string | undefined;
  /** Identifies a resource that was re-created under the same id. */
  createdAt: string | null;
}

interface DeclaredRow extends Row {
  id: string;
  provider_resource_id: string;
  provider_type: string;
  region: string | null;
  cloud_created_at: string | null;
}

/** Returns an account's live resources whose properties can be compared with a state, the least recently read first. */
export function declaredLive(
  database: Database,
  { orgId, accountId, atMost }: { orgId: string; accountId: string; atMost: number },
): Promise<DeclaredLive[]> {
  return database.transaction(
    orgId,
    async (tx) => {
      await gatherParts(tx, accountId);
      const rows = await tx<DeclaredRow>`
        select l.id, l.provider_resource_id, l.provider_type, l.region, l.cloud_created_at
          from inventory.live_resources l
         where l.org_id = ${orgId}
           and l.cloud_account_id = ${accountId}
           and l.overlooked_since is null
           and (
             exists (select from (select live_id from live_parts) p where p.live_id = l.id)
             or l.match_level < ${OWNER_LEVEL} and exists (
               select
                 from inventory.declared_attributes d
                where d.org_id = ${orgId} and d.iac_resource_id = l.iac_resource_id
             )
           )
         order by l.read_at nulls first, l.id
         limit ${atMost}
      `;
      return rows.map((row) => ({
        id: row.id,
        providerId: row.provider_resource_id,
        type: row.provider_type,
        region: row.region ?? undefined,
        createdAt: row.cloud_created_at,
      }));
    },
    { lane: "bulk" },
  );
}

/** A resource with its redacted properties. */
export interface ReadResource {
  resource: DeclaredLive;
  properties: Redaction<JsonObject>;
}

/** Stores properties, except those of resources that were re-created since. The enrichment status stays the same. */
export async function keepRead(sql: OrgStatements, read: readonly ReadResource[]): Promise<void> {
  if (read.length === 0) return;
  await sql`
    update inventory.live_resources l
       set properties = r.properties, redactions = r.redactions, read_at = now(),
           enriched_at = case when l.enrichment_status = 'enriched' then clock.now else l.enriched_at end
      from (select now() as now) clock
     cross join unnest(
        ${read.map(({ resource }) => resource.id)}::uuid[],
        ${read.map(({ properties }) => JSON.stringify(properties.value))}::text[],
        ${read.map(({ properties }) => JSON.stringify(properties.redactions))}::text[],
        ${read.map(({ resource }) => resource.createdAt)}::text[]
      ) as r (id, properties, redactions, created_at)
     where l.org_id = ${sql.orgId}
       and l.id = r.id
       and l.cloud_created_at is not distinct from r.created_at
  `;
}
