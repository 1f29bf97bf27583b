import type { OrgStatements, Statements } from "@leeway/shared/database/database";

/** Job that has waited too long. */
interface OverdueJob {
  org_id: string;
  id: string;
  /** Whether a worker began the job and no longer works on it. */
  begun: boolean;
}

/** Returns overdue jobs of all organizations, oldest first, and marks them as offered. */
export async function overdueJobs(
  sql: Statements,
  { newSeconds, offeredSeconds, limit }: { newSeconds: number; offeredSeconds: number; limit: number },
): Promise<OverdueJob[]> {
  return sql<OverdueJob>`
    select org_id, id, begun
      from analyzer.overdue_jobs(
             make_interval(secs => ${newSeconds}), make_interval(secs => ${offeredSeconds}), ${limit}
           )
  `;
}

/** Returns queued jobs of all organizations, oldest first. */
export async function queuedJobs(sql: Statements, limit: number): Promise<{ org_id: string; id: string }[]> {
  return sql<{ org_id: string; id: string }>`select org_id, id from analyzer.queued_jobs(${limit})`;
}

/** Marks jobs as overdue again that the bus didn't accept. */
export async function withdrawOffers(sql: OrgStatements, jobs: readonly { id: string }[]): Promise<void> {
  await sql`
    update analyzer.jobs
       set offered_at = null
     where org_id = ${sql.orgId}
       and id = any (${jobs.map(({ id }) => id)}::uuid[])
       and status in ('queued', 'running')
  `;
}

/** Pauses a running job for `seconds`; then the sweep offers it. */
export async function postponeJob(sql: OrgStatements, jobId: string, seconds: number): Promise<void> {
  await sql`
    update analyzer.jobs
       set offered_at = now() + make_interval(secs => ${seconds})
     where org_id = ${sql.orgId}
       and id = ${jobId}
       and status = 'running'
  `;
}
