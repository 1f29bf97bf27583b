import type { Database, OrgStatements, Row } from "@leeway/shared/database/database";
import type { JsonObject } from "@leeway/shared/json";
import type { Redaction } from "@leeway/shared/redaction/redact";

import { gatherParts } from "../../../drift/store/parts.ts";
import { OWNER_LEVEL } from "../../../matching/owner-level.ts";

/** A live resource that something declares, by itself or as a part of it. */
export interface DeclaredLive {
  id: string;
  providerId: string;
  type: string;
  region: string | undefined;
  /** Another one under the same id is made anew. */
  createdAt: string | null;
}

interface DeclaredRow extends Row {
  id: string;
  provider_resource_id: string;
  provider_type: string;
  region: string | null;
  cloud_created_at: string | null;
}

/** Live resources of an account whose properties can be compared with a state; those first that were read longest ago. */
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
             exists (select from live_parts p where p.live_id = l.id)
             or l.match_level < ${OWNER_LEVEL} and exists (
               select
                 from inventory.declared_attributes d
                where d.org_id = l.org_id and d.iac_resource_id = l.iac_resource_id
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

/** A resource with all that its cloud tells of it, redacted. */
export interface ReadResource {
  resource: DeclaredLive;
  properties: Redaction<JsonObject>;
}

/** Keeps what was read, but for what has become another resource meanwhile. That nobody asked for it stays as it is. */
export async function keepRead(sql: OrgStatements, read: readonly ReadResource[]): Promise<void> {
  if (read.length === 0) return;
  await sql`
    update inventory.live_resources l
       set properties = r.properties, redactions = r.redactions, read_at = now(),
           enriched_at = case when l.enrichment_status = 'enriched' then now() else l.enriched_at end
      from unnest(
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
