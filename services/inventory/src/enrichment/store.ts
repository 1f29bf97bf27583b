import type { OrgStatements } from "@leeway/shared/database/database";
import type { JsonObject } from "@leeway/shared/json";
import type { Redaction } from "@leeway/shared/redaction/redact";

import type { ResourceDetail } from "../resources/store.ts";

/**
 * Keeps what an enricher fetched, unless the row has meanwhile gone, been enriched, or become that of another resource
 * under the same id.
 */
export async function keepProperties(
  sql: OrgStatements,
  { id, cloud_created_at }: ResourceDetail,
  { value, redactions }: Redaction<JsonObject>,
): Promise<void> {
  await sql`
    update inventory.live_resources
       set enrichment_status = 'enriched', enrichment_failure_reason = null, enriched_at = now(),
           properties = ${JSON.stringify(value)}, redactions = ${JSON.stringify(redactions)}
     where org_id = ${sql.orgId}
       and id = ${id}
       and enrichment_status in ('none', 'failed')
       and cloud_created_at is not distinct from ${cloud_created_at}
  `;
}

/** Marks a resource whose fetching failed, under the conditions of `keepProperties`. */
export async function markFailed(
  sql: OrgStatements,
  { id, cloud_created_at }: ResourceDetail,
  reason: string,
): Promise<void> {
  await sql`
    update inventory.live_resources
       set enrichment_status = 'failed', enrichment_failure_reason = ${reason}
     where org_id = ${sql.orgId}
       and id = ${id}
       and enrichment_status in ('none', 'failed')
       and cloud_created_at is not distinct from ${cloud_created_at}
  `;
}

/** Marks a resource for which there is no enricher; the properties that its listing brought stay. */
export async function markNotApplicable(sql: OrgStatements, { id }: ResourceDetail): Promise<void> {
  await sql`
    update inventory.live_resources
       set enrichment_status = 'n/a', enrichment_failure_reason = null, enriched_at = null
     where org_id = ${sql.orgId}
       and id = ${id}
  `;
}
