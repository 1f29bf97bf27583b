import type { Waiting } from "@leeway/shared/backlog";
import type { LlmJob } from "@leeway/shared/contracts/analyzer/jobs";
import type { OrgStatements, Row, Statements } from "@leeway/shared/database/database";
import { present } from "@leeway/shared/json";

import type { Subject } from "../subject.ts";

/** How long a job can be asked for. */
const JOB_DAYS = 30;
const DAY_MS = 86_400_000;

/** A job as its worker sees it. */
export interface Job {
  id: string;
  orgId: string;
  subject: Subject;
  /** JSON of what it has come to already; undefined before. */
  result: string | undefined;
  createdAt: Date;
  /** This one included. */
  attempts: number;
}

export interface NewJob {
  id: string;
  subject: Subject;
  /** As `sealInput` gives it. */
  input?: Buffer | undefined;
}

/** Stores jobs, in one statement, but for those that are known. @returns the ids of those that were stored */
export async function storeJobs(sql: OrgStatements, jobs: readonly NewJob[]): Promise<Set<string>> {
  const rows = await sql<{ id: string }>`
    with stored as (
      insert into analyzer.jobs (org_id, id, kind, subject)
      select ${sql.orgId}, id, kind, subject::jsonb
        from unnest(
               ${jobs.map(({ id }) => id)}::uuid[],
               ${jobs.map(({ subject }) => subject.kind)}::text[],
               ${jobs.map(({ subject }) => JSON.stringify(subject))}::text[]
             ) as job (id, kind, subject)
      on conflict (org_id, id) do nothing
      returning id
    ), kept as (
      insert into analyzer.inputs (org_id, id, sealed)
      select ${sql.orgId}, i.id, decode(i.sealed, 'base64')
        from unnest(
               ${jobs.map(({ id }) => id)}::uuid[],
               ${jobs.map(({ input }) => input?.toString("base64") ?? null)}::text[]
             ) as i (id, sealed)
        join stored s on s.id = i.id
       where i.sealed is not null
    )
    select id from stored
  `;
  return new Set(rows.map(({ id }) => id));
}

interface JobRow extends Row {
  id: string;
  subject: Subject;
  result: string | null;
  created_at: Date;
  attempts: number;
}

/** Begins, or takes up again, a job that isn't over; undefined when it is, or is gone. */
export async function beginJob(sql: OrgStatements, jobId: string): Promise<Job | undefined> {
  const [row] = await sql<JobRow>`
    update analyzer.jobs
       set status = 'running', started_at = coalesce(started_at, now()), attempts = attempts + 1, offered_at = now()
     where org_id = ${sql.orgId}
       and id = ${jobId}
       and status in ('queued', 'running')
    returning id, subject, result, created_at, attempts
  `;
  if (!row) return undefined;
  const { id, subject, result, created_at: createdAt, attempts } = row;
  return { id, orgId: sql.orgId, subject, result: result ?? undefined, createdAt, attempts };
}

/** Keeps what a job has come to; what another attempt kept first stays. @returns what is kept */
export async function keepResult(sql: OrgStatements, jobId: string, result: string): Promise<string> {
  const [row] = await sql<{ result: string }>`
    update analyzer.jobs
       set result = coalesce(result, ${result})
     where org_id = ${sql.orgId}
       and id = ${jobId}
       and status = 'running'
    returning result
  `;
  return row?.result ?? result;
}

/** Ends a job; whoever comes second changes nothing. @returns whether it was this call */
export async function endJob(
  sql: OrgStatements,
  jobId: string,
  end: { result?: string } | { sealed: Buffer } | { error: { code: string; message: string } },
): Promise<boolean> {
  const failed = "error" in end ? end.error : undefined;
  const ended = await sql`
    update analyzer.jobs
       set status = ${failed ? "error" : "done"},
           result = ${("result" in end && end.result) || null},
           sealed_result = ${"sealed" in end ? end.sealed : null},
           error_code = ${failed?.code ?? null},
           error_message = ${failed?.message ?? null},
           finished_at = now()
     where org_id = ${sql.orgId}
       and id = ${jobId}
       and status in ('queued', 'running')
  `;
  return ended.count > 0;
}

interface ShownRow extends Row {
  id: string;
  kind: LlmJob["kind"];
  status: LlmJob["status"];
  result: string | null;
  sealed_result: Uint8Array | null;
  error_code: string | null;
  error_message: string | null;
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
}

/** A job as JSON, and its result where that is sealed; undefined when there is none that can be asked for. */
export async function shownJob(
  sql: OrgStatements,
  jobId: string,
): Promise<{ isOver: boolean; json: string; sealed: Uint8Array | undefined } | undefined> {
  const [row] = await sql<ShownRow>`
    select id, kind, status, result, sealed_result, error_code, error_message, created_at, started_at, finished_at
      from analyzer.jobs
     where org_id = ${sql.orgId}
       and id = ${jobId}
       and kind in ('analyze', 'plan_noise_fix', 'drift_narrative')
  `;
  if (!row) return undefined;
  const { status, result } = row;
  const isOver = status === "done" || status === "error";
  const json = JSON.stringify({
    id: row.id,
    kind: row.kind,
    status,
    ...(row.error_code !== null && { error: { code: row.error_code, message: row.error_message } }),
    created_at: row.created_at.toISOString(),
    ...present({ started_at: row.started_at?.toISOString(), finished_at: row.finished_at?.toISOString() }),
    expires_at: new Date(row.created_at.getTime() + JOB_DAYS * DAY_MS).toISOString(),
  });
  // The result is passed through as the text that it is stored as.
  const sealed = row.sealed_result ?? undefined;
  return { isOver, json: status === "done" && result !== null ? withResult(json, result) : json, sealed };
}

/** A job's JSON with its result, both as text. */
export function withResult(json: string, result: string): string {
  return `${json.slice(0, -1)},"result":${result}}`;
}

/** What a job that is done came to, as JSON. */
export async function resultOf(sql: OrgStatements, jobId: string): Promise<string | undefined> {
  const [row] = await sql<{ result: string | null }>`
    select result from analyzer.jobs where org_id = ${sql.orgId} and id = ${jobId}
  `;
  return row?.result ?? undefined;
}

/** What a job is about, whatever became of it. */
export async function subjectOf(sql: OrgStatements, jobId: string): Promise<Subject | undefined> {
  const [row] = await sql<{ subject: Subject }>`
    select subject from analyzer.jobs where org_id = ${sql.orgId} and id = ${jobId}
  `;
  return row?.subject;
}

/** A job's input, sealed; undefined when it has none any more. */
export async function sealedInput(sql: OrgStatements, jobId: string): Promise<Uint8Array | undefined> {
  const [row] = await sql<{ sealed: Uint8Array }>`
    select sealed from analyzer.inputs where org_id = ${sql.orgId} and id = ${jobId}
  `;
  return row?.sealed;
}

/** Jobs of every organization that nobody works on, oldest first; each is given out once for a while. */
export async function overdueJobs(
  sql: Statements,
  { newSeconds, offeredSeconds, limit }: { newSeconds: number; offeredSeconds: number; limit: number },
): Promise<{ org_id: string; id: string }[]> {
  return sql<{ org_id: string; id: string }>`
    select org_id, id
      from analyzer.overdue_jobs(
             make_interval(secs => ${newSeconds}), make_interval(secs => ${offeredSeconds}), ${limit}
           )
  `;
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

/** Makes room for the days to come, and drops what is too old. */
export async function keepHouse(sql: Statements, inputDays: number): Promise<void> {
  await sql`select analyzer.keep_partitions(${JOB_DAYS}, ${inputDays})`;
}

/** Forgets all of an organization. */
export async function forgetOrganization(sql: OrgStatements): Promise<void> {
  await sql`delete from analyzer.jobs where org_id = ${sql.orgId}`;
  await sql`delete from analyzer.inputs where org_id = ${sql.orgId}`;
  await sql`delete from analyzer.reviews where org_id = ${sql.orgId}`;
  await sql`delete from analyzer.noise where org_id = ${sql.orgId}`;
  await sql`delete from analyzer.noise_projects where org_id = ${sql.orgId}`;
  await sql`delete from analyzer.applied_projects where org_id = ${sql.orgId}`;
  await sql`delete from analyzer.settings where org_id = ${sql.orgId}`;
}

/** What waits or is under way, of every organization. */
export async function backlog(sql: Statements): Promise<Waiting[]> {
  return sql<Waiting>`select queue, waiting, oldest_seconds from analyzer.backlog()`;
}
