import type { NoiseClass } from "@leeway/shared/contracts/analyzer/analysis";
import type { PlanNoise } from "@leeway/shared/contracts/analyzer/noise";
import type { OrgStatements, Row, Statements, Transaction } from "@leeway/shared/database/database";
import { present } from "@leeway/shared/json";

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
  fix_job_id: string | null;
}

const MOST_PROJECTS = 50;
/** Projects whose places a fix is made by. */
const MOST_PLACES = 100;

/** Muting ends by itself; what is in no project any more is fixed. */
const status = (sql: Statements) => sql.part`
  case
    when n.status = 'muted' and (n.muted_until is null or n.muted_until > now()) then 'muted'
    when exists (
      select from analyzer.noise_projects p
       where p.org_id = n.org_id
         and p.fingerprint = n.fingerprint
         and p.gone_at is null
    ) then 'active'
    else 'fixed'
  end
`;
const columns = (sql: Statements) => sql.part`
  n.fingerprint, n.class, n.title, n.resource_type, n.provider_name, n.path_pattern, n.confidence, n.sample,
  n.occurrences, n.first_seen_at, n.last_seen_at, ${status(sql)} as status, n.muted_until, n.muted_reason, n.fix_job_id,
  array(
    select p.project
      from analyzer.noise_projects p
     where p.org_id = n.org_id
       and p.fingerprint = n.fingerprint
     order by p.project
     limit ${MOST_PROJECTS}
  ) as projects
`;

function fromRow({ sample, first_seen_at, last_seen_at, ...row }: NoiseRow): PlanNoise {
  const { muted_until, muted_reason, fix_job_id, ...same } = row;
  const shown: PlanNoise["sample"] = JSON.parse(sample);
  return {
    ...same,
    sample: shown,
    first_seen_at: first_seen_at.toISOString(),
    last_seen_at: last_seen_at.toISOString(),
    ...(row.status === "muted" && present({ muted_until: muted_until?.toISOString(), muted_reason })),
    ...present({ fix_job_id }),
  };
}

/** A page of an organization's noise, by fingerprint. */
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

/** Where each project that has noise had it last, and in which tags; those of a repository first, then the latest. */
export async function placesOf(
  sql: OrgStatements,
  fingerprint: string,
  repository = "",
): Promise<{ addresses: string[]; keys: string[] }[]> {
  return sql<{ addresses: string[]; keys: string[] }>`
    select addresses, keys
      from analyzer.noise_projects
     where org_id = ${sql.orgId}
       and fingerprint = ${fingerprint}
       and addresses <> '{}'
     order by starts_with(project, ${`${repository}:`}) desc, last_seen_at desc
     limit ${MOST_PLACES}
  `;
}

/** What is known of noise before a plan is looked at: what is muted, and what came back after applies. */
export async function knownNoise(
  sql: OrgStatements,
  project: string,
): Promise<{ muted: string[]; repeats: Record<string, number> }> {
  const rows = await sql<{ fingerprint: string; is_muted: boolean; repeats: number | null }>`
    select n.fingerprint, ${status(sql)} = 'muted' as is_muted, p.repeats
      from analyzer.noise n
      left join analyzer.noise_projects p
        on p.org_id = n.org_id and p.fingerprint = n.fingerprint and p.project = ${project}
     where n.org_id = ${sql.orgId}
       and (${status(sql)} = 'muted' or p.repeats > 0)
  `;
  return {
    muted: rows.flatMap(({ fingerprint, is_muted: isMuted }) => (isMuted ? [fingerprint] : [])),
    repeats: Object.fromEntries(rows.map(({ fingerprint, repeats }) => [fingerprint, repeats ?? 0])),
  };
}

/**
 * Mutes noise, until further notice where no end is given. What is undefined stays as it is, of an end while it is to
 * come. @returns whether there is such noise
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

/** Why it was muted stays, or is another reason from now on. @returns whether there is such noise */
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

/** The job that makes a fix for noise now, if one does; undefined when there is no such noise. */
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
 * Has a job be the one that makes the fix, unless another is at it.
 * @returns the job that is, or undefined when there is no such noise
 */
export async function claimFix(
  tx: Transaction,
  fingerprint: string,
  jobId: string,
): Promise<string | undefined> {
  // Who claims at the same time waits, and only then looks for the other's job.
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
