import type { Actor } from "@leeway/shared/contracts/common";
import type { Scan } from "@leeway/shared/contracts/inventory/scans";
import type { OrgStatements } from "@leeway/shared/database/database";

/** A scan that is asked for. */
interface WantedScan {
  accountId: string;
  kind: Scan["kind"];
  trigger: Scan["trigger"];
  requestedBy: Actor;
  scheduleId?: string;
}

/** Queues a scan, which a worker takes; undefined while another of the account is open. */
export async function queueScan(sql: OrgStatements, wanted: WantedScan): Promise<string | undefined> {
  const id = Bun.randomUUIDv7();
  const { accountId, kind, trigger, requestedBy, scheduleId = null } = wanted;
  const [queued] = await sql`
    with queued as (
      insert into inventory.scans (org_id, id, account_id, kind, trigger, status, phase, requested_by, schedule_id)
      values (
        ${sql.orgId}, ${id}, ${accountId}, ${kind}, ${trigger}, 'queued', 'discover',
        ${sql.part.json(requestedBy)}, ${scheduleId}
      )
      on conflict (org_id, account_id) where status in ('queued', 'running') do nothing
      returning id
    )
    update inventory.cloud_accounts a
       set last_scan_id = queued.id
      from queued
     where a.org_id = ${sql.orgId}
       and a.id = ${accountId}
    returning a.id
  `;
  return queued && id;
}
