import type { OrgStatements, Statements } from "@leeway/shared/database/database";

import type { Standing } from "../domain/gates.ts";
import { fromRow, type StandingRow } from "./standing.ts";

/** A job that wants a slot. */
export interface SlotCall {
  orgId: string;
  jobId: string;
}

/** What was decided for an organization's calls: its gates after it, and the jobs that have a slot. */
export interface Decision {
  standing: Standing;
  granted: ReadonlySet<string>;
}

/** A slot that came to its end. */
type Ending = "consumed" | "released";

/** Decides calls together, each organization's in their order, in one statement; gives the decisions by organization. */
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

/** Spends a held slot. Gives where the job's slot has come to; undefined when it has none. */
export async function consumeSlot(sql: OrgStatements, jobId: string): Promise<Ending | undefined> {
  const [row] = await sql<{ state: Ending | null }>`
    select quota.consume(${sql.orgId}, ${jobId}) as state
  `;
  return row?.state ?? undefined;
}

/** Gives a held slot back. Gives where the job's slot has come to; undefined when it has none. */
export async function releaseSlot(sql: OrgStatements, jobId: string): Promise<Ending | undefined> {
  const [row] = await sql<{ state: Ending | null }>`
    select quota.release(${sql.orgId}, ${jobId}) as state
  `;
  return row?.state ?? undefined;
}

/** Releases slots of every organization that are held for too long; gives how many it found. */
export async function releaseExpired(sql: Statements, atMost: number): Promise<number> {
  const [row] = await sql<{ count: number }>`select quota.release_expired(${atMost}) as count`;
  return row?.count ?? 0;
}

/** Forgets slots of every organization that were taken before the last `days`; gives how many it were. */
export async function forgetReservations(sql: Statements, days: number, atMost: number): Promise<number> {
  const [row] = await sql<{ count: number }>`
    select quota.forget_reservations(
             (quota.clock() at time zone 'UTC')::date - ${days - 1}::integer, ${atMost}
           ) as count
  `;
  return row?.count ?? 0;
}
