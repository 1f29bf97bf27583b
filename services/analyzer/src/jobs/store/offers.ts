import type { OrgStatements, Statements } from "@leeway/shared/database/database";

/** A job that has waited for too long. */
interface OverdueJob {
  org_id: string;
  id: string;
  /** By somebody who doesn't work on it any more. */
  begun: boolean;
}

/** Jobs of every organization that nobody works on, oldest first; each is given out once for a while. */
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

/** Jobs of every organization that nobody has begun, oldest first. */
export async function queuedJobs(sql: Statements, limit: number): Promise<{ org_id: string; id: string }[]> {
  return sql<{ org_id: string; id: string }>`select org_id, id from analyzer.queued_jobs(${limit})`;
}

/** Has jobs that were given out, but that the bus didn't take, be overdue again. */
export async function withdrawOffers(sql: OrgStatements, jobIds: readonly string[]): Promise<void> {
  await sql`
    update analyzer.jobs
       set offered_at = null
     where org_id = ${sql.orgId}
       and id = any (${[...jobIds]}::uuid[])
       and status in ('queued', 'running')
  `;
}

/** Leaves a job that was begun alone for so long, and then to the sweep. */
export async function postponeJob(sql: OrgStatements, jobId: string, seconds: number): Promise<void> {
  await sql`
    update analyzer.jobs
       set offered_at = now() + make_interval(secs => ${seconds})
     where org_id = ${sql.orgId}
       and id = ${jobId}
       and status = 'running'
  `;
}
