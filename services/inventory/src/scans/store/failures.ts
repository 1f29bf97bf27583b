import type { OrgStatements, Statements } from "@leeway/shared/database/database";

/** Failed scans of every organization of which nobody was told, oldest first. */
export async function untoldFailures(
  sql: Statements,
  most: number,
): Promise<{ org_id: string; scan_id: string }[]> {
  return sql<{ org_id: string; scan_id: string }>`
    select org_id, scan_id from inventory.untold_failures(${most})
  `;
}

/** How many scans of an account have failed since one didn't, up to a scan that failed. */
export async function failuresInARow(sql: OrgStatements, accountId: string, scanId: string): Promise<number> {
  const [row] = await sql<{ count: number }>`
    select count(*)::integer as count
      from inventory.scans
     where org_id = ${sql.orgId}
       and account_id = ${accountId}
       and status = 'failed'
       and id <= ${scanId}
       and id > coalesce(
         (
           select id
             from inventory.scans
            where org_id = ${sql.orgId}
              and account_id = ${accountId}
              and status in ('succeeded', 'partial')
              and id < ${scanId}
            order by id desc
            limit 1
         ),
         '00000000-0000-0000-0000-000000000000'
       )
  `;
  return row?.count ?? 0;
}

export async function noteTold(sql: OrgStatements, scanId: string): Promise<void> {
  await sql`
    update inventory.scans
       set tell_failure = false
     where org_id = ${sql.orgId}
       and id = ${scanId}
  `;
}
