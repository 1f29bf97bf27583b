import type { OrgStatements } from "@leeway/shared/database/database";

/** Whether the organization's own key is used, in place of the platform's. */
export async function isByokConfigured(sql: OrgStatements): Promise<boolean> {
  const [row] = await sql`select 1 from quota.llm_configs where org_id = ${sql.orgId}`;
  return row !== undefined;
}
