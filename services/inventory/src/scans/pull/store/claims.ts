import type { Scan } from "@leeway/shared/contracts/inventory/scans";
import type { OrgStatements, Row, Statements } from "@leeway/shared/database/database";

/** A scan in the hands of one process. */
export interface Claim extends Row {
  scan_id: string;
  worker: string;
  account_id: string;
  kind: Scan["kind"];
  /** Empty: all of the account's. */
  regions: string[];
  /** How often it was taken up since it last made progress, this time included. */
  attempts: number;
}

/** As often as a schedule may tick: a result that mixes older pages with new ones was never true at any time. */
const KEPT_HOURS = 1;

/**
 * Takes up a scan that waits for a worker; undefined when another has it, or it is over. What its shards have shown too
 * long ago is to be listed anew.
 */
export async function claimScan(
  sql: OrgStatements,
  { scanId, worker }: { scanId: string; worker: string },
): Promise<Claim | undefined> {
  const [row] = await sql<Claim>`
    with claimed as (
      update inventory.scans
         set status = 'running', phase = 'discover', worker = ${worker}, attempts = attempts + 1, touched_at = now(),
             started_at = coalesce(started_at, now())
       where org_id = ${sql.orgId}
         and id = ${scanId}
         and status in ('queued', 'running')
         and trigger <> 'push'
         and phase <> 'drift'
         and worker is null
      returning id as scan_id, worker, account_id, kind, regions, attempts
    ), outdated as (
      update inventory.scan_shards
         set status = 'pending', attempts = 0
       where org_id = ${sql.orgId}
         and scan_id in (select scan_id from claimed)
         and status <> 'pending'
         and touched_at < now() - make_interval(hours => ${KEPT_HOURS})
    )
    select scan_id, worker, account_id, kind, regions, attempts
      from claimed
  `;
  return row;
}

/** How far a worker has come. */
export interface Progress {
  /** Resources, those of shards that were listed before it included. */
  seen: number;
  /** Whether a shard has ended since the scan was taken up. */
  advanced: boolean;
}

/** Gives a sign of life, and tells how far the scan is. @returns whether it is still the worker's */
export async function beat(
  sql: OrgStatements,
  { scan_id, worker }: Claim,
  { seen, advanced }: Progress,
): Promise<boolean> {
  const [row] = await sql<{ held: boolean }>`
    with mine as (
      select id
        from inventory.scans
       where org_id = ${sql.orgId}
         and id = ${scan_id}
         and worker = ${worker}
         and status = 'running'
         for update skip locked -- it is being taken over: that is sign of life enough
    ), beaten as (
      update inventory.scans
         set touched_at = now(), stats = stats || jsonb_build_object('seen', ${seen}::integer),
             attempts = case when ${advanced} then 0 else attempts end
       where org_id = ${sql.orgId}
         and id in (select id from mine)
    )
    select exists (
      select
        from inventory.scans
       where org_id = ${sql.orgId}
         and id = ${scan_id}
         and worker = ${worker}
         and status = 'running'
    ) as held
  `;
  return row?.held ?? false;
}

/** Everything is listed: matching begins. */
export async function enterMatch(sql: OrgStatements, { scan_id, worker }: Claim): Promise<void> {
  await sql`
    update inventory.scans
       set phase = 'match', touched_at = now()
     where org_id = ${sql.orgId}
       and id = ${scan_id}
       and worker = ${worker}
       and status = 'running'
  `;
}

/** Lets a scan go, to be taken up by whoever comes next. An attempt that was `cutShort` counts for nothing. */
export async function releaseScan(
  sql: OrgStatements,
  { scan_id, worker }: Claim,
  { cutShort }: { cutShort: boolean },
): Promise<void> {
  await sql`
    update inventory.scans
       set worker = null, touched_at = now(), attempts = attempts - ${cutShort ? 1 : 0}
     where org_id = ${sql.orgId}
       and id = ${scan_id}
       and worker = ${worker}
       and status = 'running'
  `;
}

/** Scans of every organization that wait for a worker and have none; each is given out once. */
export async function unattendedScans(
  sql: Statements,
  olderThanSeconds: number,
): Promise<{ org_id: string; scan_id: string }[]> {
  return sql<{ org_id: string; scan_id: string }>`
    select org_id, scan_id from inventory.unattended_scans(make_interval(secs => ${olderThanSeconds}))
  `;
}

/** Forgets the shards of every scan that needs them no more. */
export async function forgetShards(sql: Statements): Promise<void> {
  await sql`select inventory.forget_shards()`;
}
