import type { Actor } from "@leeway/shared/contracts/common";
import type { OrgStatements } from "@leeway/shared/database/database";
import { isDuplicate } from "@leeway/shared/database/failure";

/** Opens the scan of a pushed listing, which is read from now on; undefined while another is open. */
export async function openPushScan(
  sql: OrgStatements,
  { accountId, requestedBy }: { accountId: string; requestedBy: Actor },
): Promise<string | undefined> {
  const id = Bun.randomUUIDv7();
  try {
    await sql`
      with opened as (
        insert into inventory.scans (
          org_id, id, account_id, kind, trigger, status, phase, requested_by, started_at
        ) values (
          ${sql.orgId}, ${id}, ${accountId}, 'full', 'push', 'running', 'discover',
          ${sql.part.json(requestedBy)}, now()
        )
      )
      update inventory.cloud_accounts
         set last_scan_id = ${id}
       where org_id = ${sql.orgId}
         and id = ${accountId}
    `;
    return id;
  } catch (error) {
    if (isDuplicate(error, "scans_active")) return undefined;
    throw error;
  }
}

/** A sign of life, and how far the listing has been read. */
export async function noteProgress(sql: OrgStatements, scanId: string, seen: number): Promise<void> {
  await sql`
    update inventory.scans
       set touched_at = now(), stats = stats || jsonb_build_object('seen', ${seen}::integer)
     where org_id = ${sql.orgId}
       and id = (
         select id
           from inventory.scans
          where org_id = ${sql.orgId}
            and id = ${scanId}
            and status = 'running'
            for update skip locked -- it is being taken over: that is sign of life enough
       )
  `;
}

/** Undoes a scan whose listing couldn't be read, as if it had never been pushed; one that has ended otherwise stays. */
export async function dropScan(sql: OrgStatements, scanId: string): Promise<void> {
  await sql`
    with dropped as (
      delete from inventory.scans
       where org_id = ${sql.orgId}
         and id = ${scanId}
         and status = 'running'
      returning account_id
    )
    update inventory.cloud_accounts a
       set last_scan_id = (
         select id
           from inventory.scans s
          where s.org_id = ${sql.orgId}
            and s.account_id = a.id
            and s.id <> ${scanId}
          order by id desc
          limit 1
       )
      from dropped
     where a.org_id = ${sql.orgId}
       and a.id = dropped.account_id
  `;
}
