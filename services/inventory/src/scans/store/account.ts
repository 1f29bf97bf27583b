import type { ScanStats } from "@leeway/shared/contracts/inventory/scans";
import type { OrgStatements } from "@leeway/shared/database/database";

export async function hasLiveResources(sql: OrgStatements, accountId: string): Promise<boolean> {
  const [row] = await sql`
    select 1
      from inventory.live_resources
     where org_id = ${sql.orgId}
       and cloud_account_id = ${accountId}
     limit 1
  `;
  return row !== undefined;
}

/** The counts of a scan that the account has now. */
export async function accountCounts(sql: OrgStatements, accountId: string): Promise<ScanStats> {
  const [row] = await sql<Required<Pick<ScanStats, "matched" | "undeclared" | "excluded" | "unchecked">>>`
    select matched_count as matched, undeclared_count as undeclared, excluded_count as excluded,
           unchecked_count as unchecked
      from inventory.cloud_accounts
     where org_id = ${sql.orgId}
       and id = ${accountId}
  `;
  return row ? { ...row } : {};
}
