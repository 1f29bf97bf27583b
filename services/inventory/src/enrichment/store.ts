import type { OrgStatements, Rows } from "@leeway/shared/database/database";
import type { JsonObject } from "@leeway/shared/values/json";
import type { Redaction } from "@leeway/shared/security/redaction/redact";

import type { ResourceDetail } from "../resources/store.ts";

/**
 * Runs an update again if it found no row. A listing may have replaced the row while the update waited for it.
 */
async function untilStored(update: () => Promise<Rows<unknown>>): Promise<void> {
  const { count } = await update();
  if (count === 0) await update();
}

/**
 * Stores an enricher's properties, unless the resource was deleted, enriched, or re-created under the same id in the
 * meantime.
 */
export async function keepProperties(
  sql: OrgStatements,
  { id, cloud_created_at }: ResourceDetail,
  { value, redactions }: Redaction<JsonObject>,
): Promise<void> {
  await untilStored(
    () => sql`
    update inventory.live_resources
       set enrichment_status = 'enriched', enrichment_failure_reason = null, enriched_at = now(),
           properties = ${JSON.stringify(value)}, redactions = ${JSON.stringify(redactions)}
     where org_id = ${sql.orgId}
       and id = ${id}
       and enrichment_status in ('none', 'failed')
       and cloud_created_at is not distinct from ${cloud_created_at}
  `,
  );
}

/** Marks a resource as failed, under the conditions of `keepProperties`. */
export async function markFailed(
  sql: OrgStatements,
  { id, cloud_created_at }: ResourceDetail,
  reason: string,
): Promise<void> {
  await untilStored(
    () => sql`
    update inventory.live_resources
       set enrichment_status = 'failed', enrichment_failure_reason = ${reason}
     where org_id = ${sql.orgId}
       and id = ${id}
       and enrichment_status in ('none', 'failed')
       and cloud_created_at is not distinct from ${cloud_created_at}
  `,
  );
}

/** Marks a resource without an enricher. The properties from its listing stay. */
export async function markNotApplicable(sql: OrgStatements, { id }: ResourceDetail): Promise<void> {
  await untilStored(
    () => sql`
    update inventory.live_resources
       set enrichment_status = 'n/a', enrichment_failure_reason = null, enriched_at = null
     where org_id = ${sql.orgId}
       and id = ${id}
  `,
  );
}
