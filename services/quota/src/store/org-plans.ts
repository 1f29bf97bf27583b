import type { Plan } from "@leeway/shared/contracts/quota";
import type { OrgStatements } from "@leeway/shared/database/database";

import type { PlanRecord } from "../domain/plan-caps.ts";

const DEFAULT_PLAN: PlanRecord = { plan: "free", weeklyOverride: null, hourlyOverride: null };

/** The organization's plan; free when nobody has set one. */
export async function getPlan(sql: OrgStatements): Promise<PlanRecord> {
  const [row] = await sql<{ plan: Plan; weekly_override: number | null; hourly_override: number | null }>`
    select plan, weekly_override, hourly_override
      from quota.org_plans
     where org_id = ${sql.orgId}
  `;
  if (!row) return DEFAULT_PLAN;
  return { plan: row.plan, weeklyOverride: row.weekly_override, hourlyOverride: row.hourly_override };
}

/** Sets the plan, and both overrides to what is given. */
export async function setPlan(sql: OrgStatements, record: PlanRecord): Promise<void> {
  const { plan, weeklyOverride, hourlyOverride } = record;
  await sql`
    insert into quota.org_plans (org_id, plan, weekly_override, hourly_override)
    values (${sql.orgId}, ${plan}, ${weeklyOverride}, ${hourlyOverride})
    on conflict (org_id) do update
       set plan = excluded.plan,
           weekly_override = excluded.weekly_override,
           hourly_override = excluded.hourly_override,
           updated_at = now()
  `;
}

export async function forgetPlan(sql: OrgStatements): Promise<void> {
  await sql`delete from quota.org_plans where org_id = ${sql.orgId}`;
}
