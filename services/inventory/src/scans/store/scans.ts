import type { Actor } from "@leeway/shared/contracts/common";
import type { Scan } from "@leeway/shared/contracts/inventory/scans";
import type { OrgStatements } from "@leeway/shared/database/database";

import { columns, fromRow, type ScanRow } from "./scan-row.ts";

/** A requested scan. */
export interface NewScan {
  /** A second request with the same id returns the same scan. */
  id?: string | undefined;
  accountId: string;
  kind: Scan["kind"];
  trigger: Scan["trigger"];
  /** Empty: all regions of the account. */
  regions?: readonly string[];
  requestedBy: Actor;
  scheduleId?: string;
}

/** Inserts a scan as the account's latest; undefined if the account has an open scan, or the scan exists already. */
export async function insertScan(
  sql: OrgStatements,
  { id = Bun.randomUUIDv7(), accountId, kind, trigger, regions = [], requestedBy, scheduleId }: NewScan,
): Promise<string | undefined> {
  const isPushed = trigger === "push";
  const [opened] = await sql`
    with opened as (
      insert into inventory.scans (
        org_id, id, account_id, kind, trigger, regions, status, phase, requested_by, schedule_id, started_at
      ) values (
        ${sql.orgId}, ${id}, ${accountId}, ${kind}, ${trigger}, ${[...regions]},
        ${isPushed ? "running" : "queued"}, 'discover', ${sql.part.json(requestedBy)}, ${scheduleId ?? null},
        ${isPushed ? sql.part`now()` : sql.part`null`}
      )
      on conflict do nothing
      returning id
    )
    update inventory.cloud_accounts a
       set last_scan_id = opened.id
      from opened
     where a.org_id = ${sql.orgId}
       and a.id = ${accountId}
    returning a.id
  `;
  return opened && id;
}

/** Returns the queued or running scan of an account. */
export async function openScanOf(sql: OrgStatements, accountId: string): Promise<string | undefined> {
  const [row] = await sql<{ id: string }>`
    select id
      from inventory.scans
     where org_id = ${sql.orgId}
       and account_id = ${accountId}
       and status in ('queued', 'running')
  `;
  return row?.id;
}

export async function getScan(sql: OrgStatements, scanId: string): Promise<Scan | undefined> {
  const [row] = await sql<ScanRow>`
    select ${columns(sql)}
      from inventory.scans
     where org_id = ${sql.orgId}
       and id = ${scanId}
  `;
  return row && fromRow(row);
}

interface ScanFilter {
  accountId: string | undefined;
  status: string | undefined;
  trigger: string | undefined;
}

/** Returns a page of scans, newest first. */
export async function listScans(
  sql: OrgStatements,
  { accountId, status, trigger }: ScanFilter,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<Scan[]> {
  const { part } = sql;
  const rows = await sql<ScanRow>`
    select ${columns(sql)}
      from inventory.scans
     where org_id = ${sql.orgId}
       ${before === undefined ? part`` : part`and id < ${before}`}
       ${accountId === undefined ? part`` : part`and account_id = ${accountId}`}
       ${status === undefined ? part`` : part`and status = ${status}`}
       ${trigger === undefined ? part`` : part`and trigger = ${trigger}`}
     order by id desc
     limit ${limit}
  `;
  return rows.map(fromRow);
}

/** Returns whether the previous scan that read a listing would have emptied the account. */
export async function wasEmptyBefore(
  sql: OrgStatements,
  accountId: string,
  scanId: string,
): Promise<boolean> {
  const [row] = await sql<{ empty: boolean }>`
    select errors @> '[{"code": "empty_listing"}]' as empty
      from inventory.scans
     where org_id = ${sql.orgId}
       and account_id = ${accountId}
       and id <> ${scanId}
       and kind <> 'drift'
       and status in ('succeeded', 'partial')
     order by finished_at desc
     limit 1
  `;
  return row?.empty ?? false;
}

/** Cancels a scan; undefined if it has ended, its result is stored, or another transaction has locked it. */
export async function cancelScan(sql: OrgStatements, scanId: string): Promise<Scan | undefined> {
  const [row] = await sql<ScanRow>`
    with open as (
      select id
        from inventory.scans
       where org_id = ${sql.orgId}
         and id = ${scanId}
         and status in ('queued', 'running')
         and phase <> 'drift'
         for update skip locked
    )
    update inventory.scans
       set status = 'canceled', finished_at = now()
     where org_id = ${sql.orgId}
       and id in (select id from open)
    returning ${columns(sql)}
  `;
  return row && fromRow(row);
}
