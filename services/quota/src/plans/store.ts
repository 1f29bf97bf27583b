import type { Static } from "@sinclair/typebox";
import type { PlanChoice } from "@leeway/shared/contracts/quota/plans";
import type { Database, OrgStatements, Transaction } from "@leeway/shared/database/database";

/** Sets the plan and both overrides of the contract; missing ones are removed. */
export async function setPlan(sql: OrgStatements, choice: Static<typeof PlanChoice>): Promise<void> {
  const { plan, weekly_platform_llm_quota: weekly = null, hourly_platform_llm_limit: hourly = null } = choice;
  await sql`
    insert into quota.org_plans (org_id, plan, weekly_override, hourly_override)
    values (${sql.orgId}, ${plan}, ${weekly}, ${hourly})
    on conflict (org_id) do update
       set plan = excluded.plan,
           weekly_override = excluded.weekly_override,
           hourly_override = excluded.hourly_override,
           updated_at = now()
  `;
}

/** Deletes an organization's plan and all of its usage, of any size. */
export async function forgetUsage(database: Database, orgId: string): Promise<void> {
  await database.transaction(orgId, forgetAll, { lane: "bulk" });
}

/** Deletes in the order in which reservations take their locks. */
async function forgetAll(tx: Transaction): Promise<void> {
  const { orgId } = tx;
  await tx`delete from quota.usage where org_id = ${orgId}`;
  await tx`delete from quota.reservations where org_id = ${orgId}`;
  await tx`delete from quota.org_plans where org_id = ${orgId}`;
  await tx`delete from quota.audit_outbox where org_id = ${orgId}`;
}
