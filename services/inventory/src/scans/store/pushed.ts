import type { OrgStatements } from "@leeway/shared/database/database";

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
            and phase <> 'drift' -- what was seen is told in full
            for update skip locked -- it is being taken over: that is sign of life enough
       )
  `;
}

/**
 * Undoes a scan whose listing couldn't be read, as if it had never been pushed. One that has ended otherwise stays, and so
 * does one whose listing is taken over: the database may have been lost just as it was about to say so.
 */
export async function dropScan(sql: OrgStatements, scanId: string): Promise<void> {
  await sql`
    with dropped as (
      delete from inventory.scans
       where org_id = ${sql.orgId}
         and id = ${scanId}
         and status = 'running'
         and phase <> 'drift'
      returning account_id
    )
    update inventory.cloud_accounts a
       set last_scan_id = (
         select id
           from inventory.scans s
          where s.org_id = ${sql.orgId}
            and s.account_id = a.id
            and s.id <> ${scanId}
          order by s.created_at desc
          limit 1
       )
      from dropped
     where a.org_id = ${sql.orgId}
       and a.id = dropped.account_id
  `;
}
