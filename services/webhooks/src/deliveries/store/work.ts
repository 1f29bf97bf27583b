import type { Waiting } from "@leeway/shared/telemetry/backlog";
import type { Source } from "@leeway/shared/contracts/webhooks/events";
import type { OrgStatements, Statements } from "@leeway/shared/database/database";

/** A delivery that waits. */
export interface WaitingDelivery {
  id: string;
  source: Source;
  replays: number;
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
    select d.id, d.source, d.attempts, d.replays, b.sealed
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

/** How a delivery ended; after so many replays, where it was processed. */
export type Ending =
  | { id: string; outcome: "processed"; event: string; jobId: string | undefined; replays: number }
  | { id: string; outcome: "ignored" | "failed"; reason: string };

/**
 * Ends deliveries that wait, and keeps what they mean; whoever comes second changes nothing. To ask for the ids once more
 * leads PostgreSQL to their day, and to the primary key there, however little it knows of a table that grows.
 * @returns the events that were kept
 */
export async function endDeliveries(sql: OrgStatements, endings: readonly Ending[]): Promise<UntakenEvent[]> {
  const ids = endings.map(({ id }) => id);
  const rows = await sql<Omit<UntakenEvent, "event">>`
    with ending as (
      select id, outcome, reason, event, job_id, replays
        from unnest(
               ${ids}::uuid[],
               ${endings.map(({ outcome }) => outcome)}::text[],
               ${endings.map((ending) => ("reason" in ending ? ending.reason : null))}::text[],
               ${endings.map((ending) => ("event" in ending ? ending.event : null))}::text[],
               ${endings.map((ending) => ("jobId" in ending ? (ending.jobId ?? null) : null))}::uuid[],
               ${endings.map((ending) => ("replays" in ending ? ending.replays : null))}::integer[]
             ) as ending (id, outcome, reason, event, job_id, replays)
    ), ended as (
      update webhooks.deliveries d
         set outcome = e.outcome, reason = e.reason, attempts = d.attempts + 1, processed_at = now(),
             job_id = e.job_id
        from ending e
       where d.org_id = ${sql.orgId}
         and d.id = any (${ids}::uuid[])
         and d.id = e.id
         and d.outcome = 'pending'
         and d.replays = coalesce(e.replays, d.replays)
      returning d.id, d.config_id, d.replays, e.event
    ), kept as (
      insert into webhooks.events (org_id, id, event)
      select ${sql.orgId}, id, event from ended where event is not null
      on conflict (org_id, id) do update set event = excluded.event, offered_at = now()
    )
    select id, config_id, replays from ended where event is not null
  `;
  const texts = new Map(endings.map((ending) => [ending.id, "event" in ending ? ending.event : ""]));
  return rows.map((row) => ({ ...row, event: texts.get(row.id) ?? "" }));
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
  { deliveryDays, bodyDays }: { deliveryDays: number; bodyDays: number },
): Promise<void> {
  await sql`select webhooks.keep_partitions(${deliveryDays}, ${bodyDays})`;
}

/** Forgets which bodies are known since longer than `dedupeHours`; gives how many it were. */
export async function forgetRecentBodies(
  sql: Statements,
  { dedupeHours, atMost }: { dedupeHours: number; atMost: number },
): Promise<number> {
  const [row] = await sql<{ count: number }>`
    select webhooks.forget_recent_bodies(make_interval(hours => ${dedupeHours}), ${atMost}) as count
  `;
  return row?.count ?? 0;
}

/** An event that the analyzer is to take. */
export interface UntakenEvent {
  id: string;
  config_id: string;
  replays: number;
  event: string;
}

/**
 * The first of the events that nobody has taken yet, by their ids: as many as have `mostBytes` together, and the one that
 * goes beyond. Each may have five million.
 */
export async function untakenEvents(
  sql: OrgStatements,
  ids: readonly string[],
  mostBytes: number,
): Promise<UntakenEvent[]> {
  const wanted = [...ids];
  return sql<UntakenEvent>`
    select id, config_id, replays, event
      from (
             select e.id, d.config_id, d.replays, e.event,
                    sum(octet_length(e.event)) over (order by e.id) - octet_length(e.event) as bytes_before
               from webhooks.events e
               join webhooks.deliveries d on d.org_id = e.org_id and d.id = e.id
              where e.org_id = ${sql.orgId}
                and e.id = any (${wanted}::uuid[])
                and d.id = any (${wanted}::uuid[])
           ) untaken
     where bytes_before < ${mostBytes}
     order by id
  `;
}

/** Events of every organization that nobody has taken for a while. */
export async function overdueEvents(
  sql: Statements,
  { offeredSeconds, limit }: { offeredSeconds: number; limit: number },
): Promise<{ org_id: string; id: string }[]> {
  return sql<{ org_id: string; id: string }>`
    select org_id, id from webhooks.overdue_events(make_interval(secs => ${offeredSeconds}), ${limit})
  `;
}

/** Forgets events that were taken, unless a replay has made others of them since. */
export async function forgetTaken(sql: OrgStatements, events: readonly UntakenEvent[]): Promise<void> {
  const ids = events.map(({ id }) => id);
  await sql`
    delete from webhooks.events e
     using unnest(
             ${ids}::uuid[], ${events.map(({ replays }) => replays)}::integer[]
           ) as taken (id, replays), webhooks.deliveries d
     where e.org_id = ${sql.orgId}
       and e.id = any (${ids}::uuid[])
       and e.id = taken.id
       and d.org_id = e.org_id
       and d.id = any (${ids}::uuid[])
       and d.id = e.id
       and d.replays = taken.replays
  `;
}

/** What waits, of every organization: deliveries, events for the analyzer, notifications that are due. */
export async function backlog(sql: Statements): Promise<Waiting[]> {
  return sql<Waiting>`select queue, waiting, oldest_seconds from webhooks.backlog()`;
}
