import type { Source } from "@leeway/shared/contracts/webhooks/events";
import type { OrgStatements, Statements } from "@leeway/shared/database/database";

/** A delivery that somebody works on. */
export interface TakenDelivery {
  config_id: string;
  source: Source;
  /** This one included. */
  attempts: number;
  /** Absent when it is gone already. */
  sealed: Uint8Array | null;
}

/** Begins an attempt at a delivery; undefined when there is nothing left to do. */
export async function takeDelivery(
  sql: OrgStatements,
  deliveryId: string,
): Promise<TakenDelivery | undefined> {
  const [row] = await sql<TakenDelivery>`
    with taken as (
      update webhooks.deliveries
         set attempts = attempts + 1
       where org_id = ${sql.orgId}
         and id = ${deliveryId}
         and outcome = 'pending'
      returning config_id, source, attempts
    )
    select t.config_id, t.source, t.attempts, b.sealed
      from taken t
      left join webhooks.bodies b on b.org_id = ${sql.orgId} and b.id = ${deliveryId}
  `;
  return row;
}

/** How a delivery ended. */
export type Ending =
  | { outcome: "processed"; event: string }
  | { outcome: "ignored" | "failed"; reason: string };

/**
 * Ends a delivery that waits, and keeps what it means; whoever comes second changes nothing.
 * @returns whether it was this call that ended it
 */
export async function endDelivery(sql: OrgStatements, deliveryId: string, ending: Ending): Promise<boolean> {
  const reason = "reason" in ending ? ending.reason : null;
  const event = "event" in ending ? ending.event : null;
  const ended = await sql`
    with ended as (
      update webhooks.deliveries
         set outcome = ${ending.outcome}, reason = ${reason}, processed_at = now()
       where org_id = ${sql.orgId}
         and id = ${deliveryId}
         and outcome = 'pending'
      returning id
    ), kept as (
      update webhooks.bodies b
         set event = ${event}
        from ended e
       where b.org_id = ${sql.orgId}
         and b.id = e.id
    )
    select id from ended
  `;
  return ended.length > 0;
}

/** Deliveries of every organization that nobody works on, oldest first; each is given out once for a while. */
export async function overdueDeliveries(
  sql: Statements,
  { newSeconds, offeredSeconds, limit }: { newSeconds: number; offeredSeconds: number; limit: number },
): Promise<{ org_id: string; delivery_id: string }[]> {
  return sql<{ org_id: string; delivery_id: string }>`
    select org_id, delivery_id
      from webhooks.overdue_deliveries(
             make_interval(secs => ${newSeconds}), make_interval(secs => ${offeredSeconds}), ${limit}
           )
  `;
}

/** Makes room for the days to come, and drops what is too old. */
export async function keepHouse(
  sql: Statements,
  { deliveryDays, bodyDays, dedupeHours }: { deliveryDays: number; bodyDays: number; dedupeHours: number },
): Promise<void> {
  await sql`select webhooks.keep_partitions(${deliveryDays}, ${bodyDays})`;
  await sql`select webhooks.forget_recent_bodies(make_interval(hours => ${dedupeHours}))`;
}
