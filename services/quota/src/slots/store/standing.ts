import type { Plan } from "@leeway/shared/contracts/quota/plans";
import type { OrgStatements, Row } from "@leeway/shared/database/database";

import type { Standing } from "../gates.ts";

const HOUR_MS = 60 * 60 * 1000;
const WEEK_MS = 7 * 24 * HOUR_MS;

/** Row of `quota.standing` in the database. */
export interface StandingRow extends Row {
  plan: Plan;
  weekly_cap: number;
  hourly_cap: number;
  week_start: Date;
  week_used: number;
  hour_start: Date;
  hour_used: number;
  byok: boolean;
  seen_at: Date;
}

/** Returns the organization's plan and gates now; the free plan by default. */
export async function getStanding(sql: OrgStatements): Promise<Standing> {
  const [row] = await sql<StandingRow>`
    select plan, weekly_cap, hourly_cap, week_start, week_used, hour_start, hour_used, byok, seen_at
      from quota.standing(${sql.orgId})
  `;
  if (!row) throw new Error("the organization has no standing");
  return fromRow(row);
}

export function fromRow(row: StandingRow): Standing {
  return {
    plan: row.plan,
    weekly: {
      name: "weekly",
      cap: row.weekly_cap,
      used: row.week_used,
      resetsAt: new Date(row.week_start.getTime() + WEEK_MS),
    },
    hourly: {
      name: "hourly",
      cap: row.hourly_cap,
      used: row.hour_used,
      resetsAt: new Date(row.hour_start.getTime() + HOUR_MS),
    },
    hasOwnKey: row.byok,
    seenAt: row.seen_at,
  };
}
