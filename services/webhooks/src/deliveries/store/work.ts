import { RETENTION } from "@leeway/shared/contracts/retention";
import type { Source } from "@leeway/shared/contracts/webhooks/events";
import type { OrgStatements, Statements } from "@leeway/shared/database/database";
import type { Waiting } from "@leeway/shared/platform/telemetry/backlog";

/** Pending delivery whose processing begins. */
export interface Attempted {
  id: string;
  config_id: string;
  source: Source;
  replays: number;
  /** Number of attempts, including this one. */
  attempts: number;
  /** Body, sealed; null if it was deleted. */
  sealed: Uint8Array | null;
}

/**
 * Returns deliveries that are still pending, with their bodies, and counts an attempt of each. The bus redelivers
 * failed ones, so the sweep skips them from their second attempt on. Repeating the id filter lets the planner prune
 * partitions and use the primary key even when statistics are stale.
 */
export async function attemptDeliveries(
  sql: OrgStatements,
  deliveryIds: readonly string[],
): Promise<Attempted[]> {
  const ids = [...deliveryIds];
  return sql<Attempted>`
    with attempted as (
      update webhooks.deliveries
         set attempts = attempts + 1, 
             offered_at = greatest(offered_at, now() + case when attempts > 0 then interval '0' end)
       where org_id = ${sql.orgId}
         and id = any (${ids}::uuid[])
         and outcome = 'pending'
      returning id, config_id, source, replays, attempts
    )
    select a.*, b.sealed
      from attempted a
      left join webhooks.bodies b on b.org_id = ${sql.orgId} and b.id = a.id and b.id = any (${ids}::uuid[])
  `;
}

/** Outcome of a delivery. */
export interface Ending {
  id: string;
  outcome: "processed" | "ignored" | "failed";
  reason?: string | undefined;
  jobId?: string | undefined;
  /** Only ends the run after this many replays; by default the current one. */
  replays?: number | undefined;
}

/** Ends pending deliveries; a second call matches no row. The outcome of a comment that was stored before stays. */
export async function endDeliveries(sql: OrgStatements, endings: readonly Ending[]): Promise<void> {
  const ids = endings.map(({ id }) => id);
  await sql`
    update webhooks.deliveries d
       set outcome = e.outcome, reason = coalesce(e.reason, d.reason), processed_at = now(), job_id = e.job_id
      from unnest(
             ${ids}::uuid[],
             ${endings.map(({ outcome }) => outcome)}::text[],
             ${endings.map(({ reason = null }) => reason)}::text[],
             ${endings.map(({ jobId = null }) => jobId)}::uuid[],
             ${endings.map(({ replays = null }) => replays)}::integer[]
           ) as e (id, outcome, reason, job_id, replays)
     where d.org_id = ${sql.orgId}
       and d.id = any (${ids}::uuid[])
       and d.id = e.id
       and d.outcome = 'pending'
       and d.replays = coalesce(e.replays, d.replays)
  `;
}

/** Delivery that has waited too long. */
export interface OverdueDelivery {
  org_id: string;
  id: string;
  size: number;
}

/** Returns overdue deliveries of all organizations, oldest first, and marks them as offered. */
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

/** Marks deliveries as overdue again that the bus didn't accept. */
export async function withdrawOffers(
  sql: OrgStatements,
  deliveries: readonly { id: string }[],
): Promise<void> {
  await sql`
    update webhooks.deliveries
       set offered_at = null
     where org_id = ${sql.orgId}
       and id = any (${deliveries.map(({ id }) => id)}::uuid[])
       and outcome = 'pending'
  `;
}

/** Creates partitions for the coming days, and drops expired ones. */
export async function deleteExpired(sql: Statements): Promise<void> {
  await sql`select webhooks.keep_partitions(${RETENTION.deliveries.days}, ${RETENTION.bodies.days})`;
}

/** Deletes entries of bodies received longer than `dedupeHours` ago. @returns whether more may be left */
export async function forgetRecentBodies(
  sql: Statements,
  { dedupeHours, atMost }: { dedupeHours: number; atMost: number },
): Promise<boolean> {
  const [row] = await sql<{ count: number }>`
    select webhooks.forget_recent_bodies(make_interval(hours => ${dedupeHours}), ${atMost}) as count
  `;
  return row?.count === atMost;
}

/** Counts what is waiting in all organizations: deliveries, due notifications. */
export async function backlog(sql: Statements): Promise<Waiting[]> {
  return sql<Waiting>`select queue, waiting, oldest_seconds from webhooks.backlog()`;
}
