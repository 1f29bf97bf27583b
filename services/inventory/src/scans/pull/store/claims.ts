import type { Scan } from "@leeway/shared/contracts/inventory/scans";
import type { OrgStatements, Row, Statements } from "@leeway/shared/database/database";

/** A scan that belongs to one process. */
export interface Claim extends Row {
  scan_id: string;
  worker: string;
  account_id: string;
  kind: Scan["kind"];
  /** Empty: all regions of the account. */
  regions: string[];
  /** Number of claims since the scan last made progress, including this one. */
  attempts: number;
}

/**
 * Age after which listed shards are listed again. It is the shortest interval of a schedule. A mixture of older and
 * newer pages would show a state that never existed.
 */
const KEPT_HOURS = 1;

/**
 * Claims a scan for a worker; undefined if another worker has it, or it is over. Shards that were listed too long ago
 * will be listed again.
 */
export async function claimScan(
  sql: OrgStatements,
  { scanId, worker }: { scanId: string; worker: string },
): Promise<Claim | undefined> {
  const [row] = await sql<Claim>`
    with claimed as (
      update inventory.scans
         set status = 'running', phase = 'discover', worker = ${worker}, attempts = attempts + 1, touched_at = now(),
             started_at = least(started_at, now())
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

/** Progress of a worker. */
export interface Progress {
  /** Number of resources, including those of shards that were listed before this claim. */
  seen: number;
  /** Whether a shard has ended since the claim. */
  advanced: boolean;
}

/** Sends a heartbeat with the scan's progress. @returns whether the worker still has the scan */
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
         for update skip locked -- another scan worker is taking it over, so it is alive
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

/** Begins the match phase, once all shards are listed. */
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

/** Releases a scan for another worker. An attempt that was `cutShort` doesn't count. */
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

/** Returns scans of all organizations that wait for a worker, each once. */
export async function unattendedScans(
  sql: Statements,
  olderThanSeconds: number,
): Promise<{ org_id: string; scan_id: string }[]> {
  return sql<{ org_id: string; scan_id: string }>`
    select org_id, scan_id from inventory.unattended_scans(make_interval(secs => ${olderThanSeconds}))
  `;
}

/** Deletes the shards of all scans that no longer need them. */
export async function forgetShards(sql: Statements): Promise<void> {
  await sql`select inventory.forget_shards()`;
}
