import type { OrgStatements, Statements } from "@leeway/shared/database/database";

import type { Standing } from "../gates.ts";
import { fromRow, type StandingRow } from "./standing.ts";

/** A job that requests a slot. */
export interface SlotCall {
  orgId: string;
  jobId: string;
}

/** Outcome of an organization's calls: its gates afterwards, and the jobs that have a slot. */
export interface Decision {
  standing: Standing;
  granted: ReadonlySet<string>;
}

/** Final state of a slot. */
type Ending = "consumed" | "released";

/**
 * Decides calls of many organizations in one statement, in order within each organization. Returns the decisions by
 * organization.
 */
export async function reserveSlots(
  sql: Statements,
  calls: readonly SlotCall[],
  { holdMinutes }: { holdMinutes: number },
): Promise<Map<string, Decision>> {
  const rows = await sql<StandingRow & { org_id: string; granted: string[] }>`
    select org_id, plan, weekly_cap, hourly_cap, week_start, week_used, hour_start, hour_used, byok, seen_at, granted
      from quota.reserve(
             ${calls.map(({ orgId }) => orgId)}::uuid[],
             ${calls.map(({ jobId }) => jobId)}::uuid[],
             make_interval(mins => ${holdMinutes})
           )
  `;
  return new Map(rows.map((row) => [row.org_id, { standing: fromRow(row), granted: new Set(row.granted) }]));
}

/** Consumes a held slot. Returns the final state of the job's slot; undefined if it has none. */
export async function consumeSlot(sql: OrgStatements, jobId: string): Promise<Ending | undefined> {
  const [row] = await sql<{ state: Ending | null }>`
    select quota.consume(${sql.orgId}, ${jobId}) as state
  `;
  return row?.state ?? undefined;
}

/** Releases a held slot. Returns the final state of the job's slot; undefined if it has none. */
export async function releaseSlot(sql: OrgStatements, jobId: string): Promise<Ending | undefined> {
  const [row] = await sql<{ state: Ending | null }>`
    select quota.release(${sql.orgId}, ${jobId}) as state
  `;
  return row?.state ?? undefined;
}

/** Releases slots of all organizations that are held too long; returns their number. */
export async function releaseExpired(sql: Statements, atMost: number): Promise<number> {
  const [row] = await sql<{ count: number }>`select quota.release_expired(${atMost}) as count`;
  return row?.count ?? 0;
}

/** Deletes slots of all organizations from before the last `days`. @returns whether more may be left */
export async function forgetReservations(
  sql: Statements,
  { days, atMost }: { days: number; atMost: number },
): Promise<boolean> {
  const [row] = await sql<{ count: number }>`
    select quota.forget_reservations(
             (quota.clock() at time zone 'UTC')::date - ${days - 1}::integer, ${atMost}
           ) as count
  `;
  return row?.count === atMost;
}
