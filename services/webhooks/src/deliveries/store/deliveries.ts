import type { Delivery } from "@leeway/shared/contracts/webhooks/deliveries";
import type { Source } from "@leeway/shared/contracts/webhooks/events";
import type { OrgStatements, Row, Statements } from "@leeway/shared/database/database";
import { present } from "@leeway/shared/values/json";

interface DeliveryRow extends Row {
  id: string;
  config_id: string;
  source: Source;
  kind: string | null;
  body_sha256: string;
  size: number;
  received_at: Date;
  outcome: Delivery["outcome"];
  reason: string | null;
  attempts: number;
  processed_at: Date | null;
  job_id: string | null;
  comment_url: string | null;
}

const columns = (sql: Statements) => sql.part`
  d.id, d.config_id, d.source, d.kind, encode(d.body_sha256, 'hex') as body_sha256, d.size, d.received_at,
  d.outcome, d.reason, d.attempts, d.processed_at, d.job_id, d.comment_url
`;

function fromRow(row: DeliveryRow): Delivery {
  const { kind, reason, processed_at, job_id, comment_url, received_at, ...same } = row;
  return {
    ...same,
    received_at: received_at.toISOString(),
    ...present({ kind, reason, processed_at: processed_at?.toISOString(), job_id, comment_url }),
  };
}

/** Returns a page of a config's deliveries, newest first. */
export async function listDeliveries(
  sql: OrgStatements,
  { configId, outcome }: { configId: string; outcome: Delivery["outcome"] | undefined },
  { before, limit }: { before: string | undefined; limit: number },
): Promise<Delivery[]> {
  const { part } = sql;
  const rows = await sql<DeliveryRow>`
    select ${columns(sql)}
      from webhooks.deliveries d
     where d.org_id = ${sql.orgId}
       and d.config_id = ${configId}
       ${before === undefined ? part`` : part`and d.id < ${before}`}
       ${outcome === undefined ? part`` : part`and d.outcome = ${outcome}`}
     order by d.id desc
     limit ${limit}
  `;
  return rows.map(fromRow);
}

export async function getDelivery(
  sql: OrgStatements,
  { configId, deliveryId }: { configId: string; deliveryId: string },
): Promise<Delivery | undefined> {
  const [row] = await sql<DeliveryRow>`
    select ${columns(sql)}
      from webhooks.deliveries d
     where d.org_id = ${sql.orgId}
       and d.id = ${deliveryId}
       and d.config_id = ${configId}
  `;
  return row && fromRow(row);
}

/** Marks a delivery as pending again, unless it is pending already or its body was deleted. */
export async function reopenDelivery(
  sql: OrgStatements,
  { configId, deliveryId }: { configId: string; deliveryId: string },
): Promise<boolean> {
  const reopened = await sql`
    update webhooks.deliveries d
       set outcome = 'pending', reason = null, attempts = 0, offered_at = now(), processed_at = null,
           replays = replays + 1, job_id = null, comment_url = null
     where d.org_id = ${sql.orgId}
       and d.id = ${deliveryId}
       and d.config_id = ${configId}
       and d.outcome <> 'pending'
       and exists (select from webhooks.bodies b where b.org_id = d.org_id and b.id = d.id)
  `;
  return reopened.count > 0;
}

/** Returns whether a delivery's body still exists. */
export async function hasBody(sql: OrgStatements, deliveryId: string): Promise<boolean> {
  const found = await sql`
    select
      from webhooks.bodies
     where org_id = ${sql.orgId}
       and id = ${deliveryId}
  `;
  return found.count > 0;
}

/** Stores the outcome of a delivery's comment; its job may report before the delivery has ended. */
export async function noteDelivery(
  sql: OrgStatements,
  deliveryId: string,
  { commentUrl, reason }: { commentUrl: string | undefined; reason: string | undefined },
): Promise<void> {
  await sql`
    update webhooks.deliveries
       set comment_url = coalesce(${commentUrl ?? null}, comment_url), reason = ${reason ?? null}
     where org_id = ${sql.orgId}
       and id = ${deliveryId}
       and outcome in ('pending', 'processed')
  `;
}
