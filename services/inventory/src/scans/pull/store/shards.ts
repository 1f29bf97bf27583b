import type { OrgStatements, Row } from "@leeway/shared/database/database";

import type { Shard, ShardFailure } from "@leeway/connectors/connector";
import type { Claim } from "./claims.ts";

/** Returns the name of a shard within its account. It is the same in every scan. */
export function shardKey({ service, region }: Shard): string {
  return region === undefined ? service : `${service} ${region}`;
}

/** Selects the scan if it still belongs to the worker. Another process that takes it away waits for this statement. */
const held = ({ part, orgId }: OrgStatements, { scan_id, worker }: Claim) => part`
  select id
    from inventory.scans
   where org_id = ${orgId}
     and id = ${scan_id}
     and worker = ${worker}
     and status = 'running'
     for share
`;

/** Stores the shards of a scan in the order of listing. Runs once per scan. */
export async function planShards(sql: OrgStatements, claim: Claim, shards: readonly Shard[]): Promise<void> {
  await sql`
    with held as (${held(sql, claim)})
    insert into inventory.scan_shards (org_id, scan_id, number, service, region, key)
    select ${sql.orgId}, held.id, number, service, nullif(region, ''), key
      from held
     cross join unnest(
        ${shards.map(({ service }) => service)}::text[], ${shards.map(({ region = "" }) => region)}::text[],
        ${shards.map(shardKey)}::text[]
      ) with ordinality as shard (service, region, key, number)
    ${sql.withoutCopy}
  `;
}

/** A shard of a scan, and its outcome. */
export interface ScanShard extends Row {
  number: number;
  service: string;
  region: string | null;
  status: "pending" | "listed" | "failed";
  seen: number;
  foreign_count: number;
  formats: string[];
  error_code: ShardFailure["code"] | null;
  error_message: string | null;
  failed_types: string[] | null;
  tagged_types: string[];
}

/** Returns all shards of a scan, in order. */
export async function shardsOf(sql: OrgStatements, { scan_id }: Claim): Promise<ScanShard[]> {
  return sql<ScanShard>`
    select number, service, region, status, seen, foreign_count, formats, error_code, error_message, failed_types,
           tagged_types
      from inventory.scan_shards
     where org_id = ${sql.orgId}
       and scan_id = ${scan_id}
     order by number
  `;
}

/** Number of pages deleted at once. All pages of a large shard are too many for one statement. */
const PAGES_AT_ONCE = 500;

/** Restarts a shard. @returns the number of its restarts, including this one; undefined if the scan is lost */
export async function beginShard(
  sql: OrgStatements,
  claim: Claim,
  number: number,
): Promise<number | undefined> {
  while ((await forgetPages(sql, claim, number)) === PAGES_AT_ONCE);
  const [row] = await sql<{ attempts: number }>`
    with held as (${held(sql, claim)})
    update inventory.scan_shards
       set attempts = attempts + 1
     where org_id = ${sql.orgId}
       and scan_id in (select id from held)
       and number = ${number}
    returning attempts
  `;
  return row?.attempts;
}

async function forgetPages(sql: OrgStatements, claim: Claim, shard: number): Promise<number> {
  const forgotten = await sql`
    with held as (${held(sql, claim)})
    delete from inventory.scan_pages
     where org_id = ${sql.orgId}
       and scan_id in (select id from held)
       and shard = ${shard}
       and number in (
         select number
           from inventory.scan_pages
          where org_id = ${sql.orgId}
            and scan_id = ${claim.scan_id}
            and shard = ${shard}
          limit ${PAGES_AT_ONCE}
       )
  `;
  return forgotten.count;
}

/** Lines of a shard, and their place among its pages. */
export interface Page {
  number: number;
  lines: string;
}

/** Stores a page. @returns whether the worker still has the scan */
export async function keepPage(
  sql: OrgStatements,
  claim: Claim,
  shard: number,
  { number, lines }: Page,
): Promise<boolean> {
  const kept = await sql`
    with held as (${held(sql, claim)})
    insert into inventory.scan_pages (org_id, scan_id, shard, number, lines)
    select ${sql.orgId}, held.id, ${shard}, ${number}, ${lines}
      from held
    returning number
  `;
  return kept.count > 0;
}

/** Outcome of listing a shard. */
export interface ShardOutcome {
  seen: number;
  foreign: number;
  formats: readonly string[];
  /** The cloud's types of which the shard shows only tagged resources. */
  taggedTypes: readonly string[];
  failure: ShardFailure | undefined;
  /** The last page, which isn't stored yet; without lines if nothing is left. */
  rest: Page;
}

/** Stores the outcome of a shard. @returns whether the worker still has the scan */
export async function endShard(
  sql: OrgStatements,
  claim: Claim,
  number: number,
  { seen, foreign, formats, taggedTypes, failure, rest }: ShardOutcome,
): Promise<boolean> {
  const ended = await sql`
    with held as (${held(sql, claim)}), kept as (
      insert into inventory.scan_pages (org_id, scan_id, shard, number, lines)
      select ${sql.orgId}, held.id, ${number}, ${rest.number}, ${rest.lines}
        from held
       where ${rest.lines !== ""}
      ${sql.withoutCopy}
    )
    update inventory.scan_shards
       set status = ${failure ? "failed" : "listed"}, seen = ${seen}, foreign_count = ${foreign},
           formats = ${[...formats]}, error_code = ${failure?.code ?? null}, error_message = ${failure?.message ?? null},
           failed_types = ${failure?.types ? [...failure.types] : null},
           untold = ${failure?.unreadProperties ? [...failure.unreadProperties] : null}, tagged_types = ${[...taggedTypes]},
           touched_at = now()
     where org_id = ${sql.orgId}
       and scan_id in (select id from held)
       and number = ${number}
  `;
  return ended.count > 0;
}
