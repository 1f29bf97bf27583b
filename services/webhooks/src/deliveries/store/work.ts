import type { Source } from "@leeway/shared/contracts/webhooks/events";
import type { OrgStatements, Statements } from "@leeway/shared/database/database";

/** A delivery that waits. */
export interface WaitingDelivery {
  id: string;
  source: Source;
  /** Those that failed. */
  attempts: number;
  /** Null when it is gone already. */
  sealed: Uint8Array | null;
}

/** Those of the deliveries that still wait, with their bodies. */
export async function waitingDeliveries(
  sql: OrgStatements,
  deliveryIds: readonly string[],
): Promise<WaitingDelivery[]> {
  return sql<WaitingDelivery>`
    select d.id, d.source, d.attempts, b.sealed
      from webhooks.deliveries d
      left join webhooks.bodies b on b.org_id = d.org_id and b.id = d.id
     where d.org_id = ${sql.orgId}
       and d.id = any (${[...deliveryIds]}::uuid[])
       and d.outcome = 'pending'
  `;
}

/** Notes an attempt that failed, after which the bus brings the deliveries again and the sweep leaves them alone. */
export async function noteFailedAttempt(sql: OrgStatements, deliveryIds: readonly string[]): Promise<void> {
  await sql`
    update webhooks.deliveries
       set attempts = attempts + 1, offered_at = now()
     where org_id = ${sql.orgId}
       and id = any (${[...deliveryIds]}::uuid[])
       and outcome = 'pending'
  `;
}

/** How a delivery ended. */
export type Ending =
  | { id: string; outcome: "processed"; event: string }
  | { id: string; outcome: "ignored" | "failed"; reason: string };

/** Ends deliveries that wait, and keeps what they mean; whoever comes second changes nothing. */
export async function endDeliveries(sql: OrgStatements, endings: readonly Ending[]): Promise<void> {
  await sql`
    with ending as (
      select id, outcome, reason, event
        from unnest(
               ${endings.map(({ id }) => id)}::uuid[],
               ${endings.map(({ outcome }) => outcome)}::text[],
               ${endings.map((ending) => ("reason" in ending ? ending.reason : null))}::text[],
               ${endings.map((ending) => ("event" in ending ? ending.event : null))}::text[]
             ) as ending (id, outcome, reason, event)
    ), ended as (
      update webhooks.deliveries d
         set outcome = e.outcome, reason = e.reason, attempts = d.attempts + 1, processed_at = now()
        from ending e
       where d.org_id = ${sql.orgId}
         and d.id = e.id
         and d.outcome = 'pending'
      returning d.id, e.event
    )
    insert into webhooks.events (org_id, id, event)
    select ${sql.orgId}, id, event from ended where event is not null
    on conflict (org_id, id) do update set event = excluded.event
  `;
}

/** A delivery that has waited for too long. */
export interface OverdueDelivery {
  org_id: string;
  id: string;
  size: number;
}

/** Deliveries of every organization that nobody works on, oldest first; each is given out once for a while. */
export async function overdueDeliveries(
  sql: Statements,
  { newSeconds, offeredSeconds, limit }: { newSeconds: number; offeredSeconds: number; limit: number },
): Promise<OverdueDelivery[]> {
  return sql<OverdueDelivery>`
    select org_id, id, size
      from webhooks.overdue_deliveries(
             make_interval(secs => ${newSeconds}), make_interval(secs => ${offeredSeconds}), ${limit}
           )
  `;
}

/** Has deliveries that were given out, but that the bus didn't take, be overdue again. */
export async function withdrawOffers(sql: OrgStatements, deliveryIds: readonly string[]): Promise<void> {
  await sql`
    update webhooks.deliveries
       set offered_at = null
     where org_id = ${sql.orgId}
       and id = any (${[...deliveryIds]}::uuid[])
       and outcome = 'pending'
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
