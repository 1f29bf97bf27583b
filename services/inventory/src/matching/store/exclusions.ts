import type { OrgStatements } from "@leeway/shared/database/database";

/** Returns the ids of the exclusion rules that the organization has disabled. */
export async function disabledRules(sql: OrgStatements): Promise<string[]> {
  const rows = await sql<{ rule_id: string }>`
    select rule_id
      from inventory.disabled_exclusions
     where org_id = ${sql.orgId}
  `;
  return rows.map(({ rule_id }) => rule_id);
}

export async function switchRule(sql: OrgStatements, ruleId: string, enabled: boolean): Promise<void> {
  if (enabled) {
    await sql`
      delete from inventory.disabled_exclusions
       where org_id = ${sql.orgId}
         and rule_id = ${ruleId}
    `;
  } else {
    await sql`
      insert into inventory.disabled_exclusions (org_id, rule_id)
      values (${sql.orgId}, ${ruleId})
      on conflict do nothing
    `;
  }
}

/** Returns the number of live resources that each rule excludes. */
export async function excludedByRule(sql: OrgStatements): Promise<Map<string, number>> {
  const rows = await sql<{ exclusion: string; count: number }>`
    select exclusion, count(*)::integer as count
      from inventory.live_resources
     where org_id = ${sql.orgId}
       and match_status = 'excluded'
     group by exclusion
  `;
  return new Map(rows.map(({ exclusion, count }) => [exclusion, count]));
}

/** Returns the accounts of a cloud that have been scanned. */
export async function sweptAccountsOf(sql: OrgStatements, cloud: string): Promise<string[]> {
  const rows = await sql<{ id: string }>`
    select id
      from inventory.cloud_accounts
     where org_id = ${sql.orgId}
       and cloud = ${cloud}
       and swept_at is not null
     order by id
  `;
  return rows.map(({ id }) => id);
}
