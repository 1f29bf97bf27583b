import type { OrgStatements } from "@leeway/shared/database/database";

/** Sends a heartbeat with the number of resources read. @returns false if the scan was canceled, failed or deleted */
export async function noteProgress(sql: OrgStatements, scanId: string, seen: number): Promise<boolean> {
  const [row] = await sql<{ wanted: boolean }>`
    with noted as (
      update inventory.scans
         set touched_at = now(), stats = stats || jsonb_build_object('seen', ${seen}::integer)
       where org_id = ${sql.orgId}
         and id = (
           select id
             from inventory.scans
            where org_id = ${sql.orgId}
              and id = ${scanId}
              and status = 'running'
              and phase <> 'drift' -- the final count
              for update skip locked -- another worker is taking it over, so it is alive
         )
    )
    select exists (
      select
        from inventory.scans
       where org_id = ${sql.orgId}
         and id = ${scanId}
         and status not in ('canceled', 'failed')
    ) as wanted
  `;
  return row?.wanted ?? false;
}

/**
 * Deletes a scan whose listing couldn't be read, as if it had never been pushed. A scan that has ended stays, and so
 * does one whose listing is stored: the connection may have failed just before the commit was confirmed.
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
