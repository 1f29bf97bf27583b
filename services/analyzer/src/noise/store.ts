import type { NoiseClass } from "@leeway/shared/contracts/analyzer/analysis";
import type { PlanNoise } from "@leeway/shared/contracts/analyzer/noise";
import type { OrgStatements, Row, Transaction } from "@leeway/shared/database/database";
import { present } from "@leeway/shared/values/json";

interface NoiseRow extends Row {
  fingerprint: string;
  class: NoiseClass;
  title: string;
  resource_type: string;
  provider_name: string;
  path_pattern: string;
  confidence: number;
  sample: string;
  occurrences: number;
  projects: string[];
  first_seen_at: Date;
  last_seen_at: Date;
  status: PlanNoise["status"];
  muted_until: Date | null;
  muted_reason: string | null;
  muted_in: PlanNoise["muted_in"] | null;
  fix_job_id: string | null;
}

const MAX_PROJECTS = 50;
/** Maximum number of projects considered for a fix. */
const MAX_PLACES = 100;

/** Builds the SQL for the status. A mute can expire; noise that no project has any more is fixed. */
const status = (sql: OrgStatements) => sql.part`
  case
    when n.status = 'muted' and (n.muted_until is null or n.muted_until > now()) then 'muted'
    when exists (
      select from analyzer.noise_projects p
       where p.org_id = ${sql.orgId}
         and p.fingerprint = n.fingerprint
         and p.gone_at is null
    ) then 'active'
    else 'fixed'
  end
`;
/** Builds the SQL for comments' mutes that haven't expired. */
const liveMutes = (sql: OrgStatements) => sql.part`
  select fingerprint, repository, muted_until, reason, decided_by
    from analyzer.noise_mutes
   where org_id = ${sql.orgId}
     and (muted_until is null or muted_until > now())
`;
const columns = (sql: OrgStatements) => sql.part`
  n.fingerprint, n.class, n.title, n.resource_type, n.provider_name, n.path_pattern, n.confidence, n.sample,
  n.occurrences, n.first_seen_at, n.last_seen_at, ${status(sql)} as status, n.muted_until, n.muted_reason, n.fix_job_id,
  (
    select jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
             'repository', m.repository,
             'until', to_char(m.muted_until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
             'reason', m.reason,
             'by', m.decided_by
           )) order by m.repository)
      from (${liveMutes(sql)}) m
     where m.fingerprint = n.fingerprint
  ) as muted_in,
  array(
    select p.project
      from analyzer.noise_projects p
     where p.org_id = ${sql.orgId}
       and p.fingerprint = n.fingerprint
     order by p.project
     limit ${MAX_PROJECTS}
  ) as projects
`;

function fromRow({ sample, first_seen_at, last_seen_at, ...row }: NoiseRow): PlanNoise {
  const { muted_until, muted_reason, muted_in, fix_job_id, ...same } = row;
  const shown: PlanNoise["sample"] = JSON.parse(sample);
  return {
    ...same,
    sample: shown,
    first_seen_at: first_seen_at.toISOString(),
    last_seen_at: last_seen_at.toISOString(),
    ...(row.status === "muted" && present({ muted_until: muted_until?.toISOString(), muted_reason })),
    ...present({ muted_in, fix_job_id }),
  };
}

/** Returns a page of an organization's noise, by fingerprint. */
export async function listNoise(
  sql: OrgStatements,
  filters: { class: NoiseClass | undefined; status: PlanNoise["status"] | undefined },
  { after, limit }: { after: string | undefined; limit: number },
): Promise<PlanNoise[]> {
  const { part } = sql;
  const rows = await sql<NoiseRow>`
    select ${columns(sql)}
      from analyzer.noise n
     where n.org_id = ${sql.orgId}
       ${after === undefined ? part`` : part`and n.fingerprint > ${after}`}
       ${filters.class === undefined ? part`` : part`and n.class = ${filters.class}`}
       ${filters.status === undefined ? part`` : part`and ${status(sql)} = ${filters.status}`}
     order by n.fingerprint
     limit ${limit}
  `;
  return rows.map(fromRow);
}

export async function getNoise(sql: OrgStatements, fingerprint: string): Promise<PlanNoise | undefined> {
  const [row] = await sql<NoiseRow>`
    select ${columns(sql)}
      from analyzer.noise n
     where n.org_id = ${sql.orgId}
       and n.fingerprint = ${fingerprint}
  `;
  return row && fromRow(row);
}

/**
 * Returns the addresses and tags of noise in each project, latest first. A repository's projects come first, or
 * exclude others if `isAlone`.
 */
export async function placesOf(
  sql: OrgStatements,
  fingerprint: string,
  { repository = "", isAlone = false }: { repository: string | undefined; isAlone?: boolean },
): Promise<{ addresses: string[]; keys: string[] }[]> {
  return sql<{ addresses: string[]; keys: string[] }>`
    select addresses, keys
      from analyzer.noise_projects
     where org_id = ${sql.orgId}
       and fingerprint = ${fingerprint}
       and addresses <> '{}'
       and (not ${isAlone} or project = ${repository} or starts_with(project, ${`${repository}:`}))
     order by starts_with(project, ${`${repository}:`}) desc, last_seen_at desc
     limit ${MAX_PLACES}
  `;
}

/** Returns the noise known before a plan is analyzed: muted fingerprints, and repeats after applies. */
export async function knownNoise(
  sql: OrgStatements,
  { project, repository = "" }: { project: string; repository: string | undefined },
): Promise<{ muted: string[]; repeats: Record<string, number> }> {
  const rows = await sql<{ fingerprint: string; is_muted: boolean; repeats: number | null }>`
    select n.fingerprint, ${status(sql)} = 'muted' or m.fingerprint is not null as is_muted, p.repeats
      from analyzer.noise n
      left join (${liveMutes(sql)}) m on m.fingerprint = n.fingerprint and m.repository = ${repository}
      left join analyzer.noise_projects p
        on p.org_id = n.org_id and p.fingerprint = n.fingerprint and p.project = ${project}
     where n.org_id = ${sql.orgId}
       and (${status(sql)} = 'muted' or m.fingerprint is not null or p.repeats > 0)
  `;
  return {
    muted: rows.flatMap(({ fingerprint, is_muted: isMuted }) => (isMuted ? [fingerprint] : [])),
    repeats: Object.fromEntries(rows.map(({ fingerprint, repeats }) => [fingerprint, repeats ?? 0])),
  };
}

/**
 * Mutes noise, indefinitely if `until` is null. An undefined member stays unchanged, except for an end in the past.
 * @returns whether there is such noise
 */
export async function muteNoise(
  sql: OrgStatements,
  fingerprint: string,
  { until, reason }: { until: Date | null | undefined; reason: string | null | undefined },
): Promise<boolean> {
  const muted = await sql`
    update analyzer.noise
       set status = 'muted',
           muted_until = case
             when ${until !== undefined} then ${until ?? null}::timestamptz
             when muted_until > now() then muted_until
           end,
           muted_reason = case when ${reason !== undefined} then ${reason ?? null} else muted_reason end
     where org_id = ${sql.orgId}
       and fingerprint = ${fingerprint}
  `;
  return muted.count > 0;
}

/**
 * Unmutes noise, and replaces the reason if one is given.
 * @returns whether there is such noise
 */
export async function unmuteNoise(
  sql: OrgStatements,
  fingerprint: string,
  reason?: string,
): Promise<boolean> {
  const active = await sql`
    update analyzer.noise
       set status = 'active', muted_until = null, muted_reason = coalesce(${reason ?? null}, muted_reason)
     where org_id = ${sql.orgId}
       and fingerprint = ${fingerprint}
  `;
  return active.count > 0;
}

/** Returns the job that is working on a fix for noise, if any; undefined if there is no such noise. */
export async function findFix(
  sql: OrgStatements,
  fingerprint: string,
): Promise<{ jobId?: string } | undefined> {
  const [row] = await sql<{ job_id: string | null }>`
    select j.id as job_id
      from analyzer.noise n
      left join analyzer.jobs j on j.org_id = n.org_id and j.id = n.fix_job_id and j.status in ('queued', 'running')
     where n.org_id = ${sql.orgId}
       and n.fingerprint = ${fingerprint}
  `;
  return row && present({ jobId: row.job_id });
}

/**
 * Assigns a job to fix noise, unless another one is already working on it.
 * @returns the assigned job; undefined if there is no such noise
 */
export async function claimFix(
  tx: Transaction,
  fingerprint: string,
  jobId: string,
): Promise<string | undefined> {
  // A concurrent claim waits here, and then sees this job.
  await tx`
    select from analyzer.noise where org_id = ${tx.orgId} and fingerprint = ${fingerprint} for no key update
  `;
  const [row] = await tx<{ fix_job_id: string }>`
    update analyzer.noise n
       set fix_job_id = case
             when exists (
               select from analyzer.jobs j
                where j.org_id = n.org_id
                  and j.id = n.fix_job_id
                  and j.status in ('queued', 'running')
             ) then n.fix_job_id else ${jobId}::uuid end
     where n.org_id = ${tx.orgId}
       and n.fingerprint = ${fingerprint}
    returning n.fix_job_id
  `;
  return row?.fix_job_id;
}
