import type { Waiting } from "@leeway/shared/telemetry/backlog";
import type { AnalyzeResult } from "@leeway/shared/contracts/analyzer/analysis";
import type { LlmJob } from "@leeway/shared/contracts/analyzer/jobs";
import type { Database, OrgStatements, Row, Statements, Transaction } from "@leeway/shared/database/database";
import { present } from "@leeway/shared/json";

import type { Subject } from "../subject.ts";

/** How long a job can be asked for. */
export const JOB_DAYS = 30;

/** A job as its worker sees it. */
export interface Job {
  id: string;
  orgId: string;
  subject: Subject;
  /** JSON of what it has come to already; undefined before. */
  result: string | undefined;
  /** Its plan or sources, sealed; undefined when it has none, or none any more. */
  input: Uint8Array | undefined;
  createdAt: Date;
  /** When it was first begun. */
  startedAt: Date;
  /** This one included. */
  attempts: number;
}

export interface NewJob {
  id: string;
  subject: Subject;
  /** As `sealInput` gives it. */
  input?: Buffer | undefined;
  /** What it has come to already: it is stored as done. */
  kept?: Pick<AnalyzeResult, "risk_level" | "gate"> | undefined;
  /** For so long it isn't begun; it is left to the sweep. */
  pauseSeconds?: number | undefined;
}

/** When jobs were stored, by their ids. */
export type StoredJobs = ReadonlyMap<string, Date>;

/** Stores jobs, in one statement, but for those that are known. @returns those that were stored */
export async function storeJobs(sql: OrgStatements, jobs: readonly NewJob[]): Promise<StoredJobs> {
  const rows = await sql<{ id: string; created_at: Date }>`
    with stored as (
      insert into analyzer.jobs (
        org_id, id, kind, subject, status, result, risk_level, gate_passed, started_at, finished_at,
        offered_at
      )
      select ${sql.orgId}, id, kind, subject::jsonb, case when result is null then 'queued' else 'done' end, result,
             risk_level, gate_passed::boolean, case when result is not null then now() end,
             case when result is not null then now() end, now() + make_interval(secs => pause_seconds)
        from unnest(
               ${jobs.map(({ id }) => id)}::uuid[],
               ${jobs.map(({ subject }) => subject.kind)}::text[],
               ${jobs.map(({ subject }) => JSON.stringify(subject))}::text[],
               ${jobs.map(({ kept }) => (kept ? JSON.stringify(kept) : null))}::text[],
               ${jobs.map(({ kept }) => kept?.risk_level ?? null)}::text[],
               ${jobs.map(({ kept }) => kept?.gate.passed.toString() ?? null)}::text[],
               ${jobs.map(({ pauseSeconds = null }) => pauseSeconds)}::integer[]
             ) as job (id, kind, subject, result, risk_level, gate_passed, pause_seconds)
      on conflict (org_id, id) do nothing
      returning id, created_at
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
    select id, created_at from stored
  `;
  return new Map(rows.map(({ id, created_at: createdAt }) => [id, createdAt]));
}

/** How far a job is. */
export interface Standing {
  status: LlmJob["status"];
  createdAt: Date;
}

/** How a job stands that was stored; undefined when there is none, or none any more. */
export async function standingOf(sql: OrgStatements, jobId: string): Promise<Standing | undefined> {
  const [row] = await sql<{ status: LlmJob["status"]; created_at: Date }>`
    select status, created_at from analyzer.jobs where org_id = ${sql.orgId} and id = ${jobId}
  `;
  return row && { status: row.status, createdAt: row.created_at };
}

interface JobRow extends Row {
  id: string;
  subject: Subject;
  result: string | null;
  sealed: Uint8Array | null;
  created_at: Date;
  started_at: Date;
  attempts: number;
}

/** Begins a job, or takes up one that is abandoned; undefined when it is over, gone, left alone, or somebody is at it. */
export async function beginJob(
  sql: OrgStatements,
  { id: jobId, abandoned }: { id: string; abandoned: boolean },
): Promise<Job | undefined> {
  const [row] = await sql<JobRow>`
    with begun as (
      update analyzer.jobs
         set status = 'running', started_at = coalesce(started_at, now()), attempts = attempts + 1, offered_at = now()
       where org_id = ${sql.orgId}
         and id = ${jobId}
         and (status = 'queued' or (status = 'running' and ${abandoned}))
         and (offered_at is null or offered_at <= now())
      returning id, subject, result, created_at, started_at, attempts
    )
    select b.*, i.sealed
      from begun b
      left join analyzer.inputs i on i.org_id = ${sql.orgId} and i.id = ${jobId}
  `;
  if (!row) return undefined;
  const { id, subject, result, sealed, created_at: createdAt, started_at: startedAt, attempts } = row;
  const [kept, input] = [result ?? undefined, sealed ?? undefined];
  return { id, orgId: sql.orgId, subject, result: kept, input, createdAt, startedAt, attempts };
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

/** How a job ends: with its result, in the clear or sealed, or not at all. */
type End =
  | { result?: string; verdict?: Pick<AnalyzeResult, "errored" | "risk_level" | "gate"> }
  | { sealed: Buffer }
  | { error: { code: string; message: string } };

/** Ends a job; whoever comes second changes nothing. @returns whether it was this call */
export async function endJob(sql: OrgStatements, jobId: string, end: End): Promise<boolean> {
  const columns = { ...NOTHING, ...columnsOf(end) };
  const ended = await sql`
    update analyzer.jobs
       set status = ${columns.status},
           result = ${columns.result},
           sealed_result = ${columns.sealed},
           risk_level = ${columns.riskLevel},
           gate_passed = ${columns.gatePassed},
           error_code = ${columns.errorCode},
           error_message = ${columns.errorMessage},
           finished_at = now()
     where org_id = ${sql.orgId}
       and id = ${jobId}
       and status in ('queued', 'running')
  `;
  return ended.count > 0;
}

const NOTHING = {
  status: "done",
  result: null,
  sealed: null,
  riskLevel: null,
  gatePassed: null,
  errorCode: null,
  errorMessage: null,
};

function columnsOf(end: End): object & { [K in keyof typeof NOTHING]?: string | boolean | Buffer } {
  if ("error" in end) {
    return { status: "error", errorCode: end.error.code, errorMessage: end.error.message };
  }
  if ("sealed" in end) return { sealed: end.sealed };
  const { result, verdict } = end;
  // In a plan that failed nothing found isn't nothing there.
  const isUnknown = verdict?.errored && verdict.risk_level === "none";
  return {
    ...present({ result: result || undefined, riskLevel: isUnknown ? undefined : verdict?.risk_level }),
    ...(verdict && { gatePassed: verdict.gate.passed }),
  };
}

/** What a job that is done came to, as JSON. */
export async function resultOf(sql: OrgStatements, jobId: string): Promise<string | undefined> {
  const [row] = await sql<{ result: string | null }>`
    select result from analyzer.jobs where org_id = ${sql.orgId} and id = ${jobId}
  `;
  return row?.result ?? undefined;
}

/** Has a job that is done have come to something else. */
export async function replaceResult(sql: OrgStatements, jobId: string, result: string): Promise<void> {
  await sql`
    update analyzer.jobs
       set result = ${result}
     where org_id = ${sql.orgId}
       and id = ${jobId}
       and status = 'done'
  `;
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

/** Makes room for the days to come, and drops what is too old. */
export async function keepHouse(sql: Statements, inputDays: number): Promise<void> {
  await sql`select analyzer.keep_partitions(${JOB_DAYS}, ${inputDays})`;
}

/** Forgets what no plan has shown for so many days, so many at most of each kind. @returns how many it were of what it were most */
export async function forgetUnseen(
  sql: Statements,
  { days, atMost }: { days: number; atMost: number },
): Promise<number> {
  const [row] = await sql<{ forgotten: number }>`select analyzer.forget(${days}, ${atMost}) as forgotten`;
  return row?.forgotten ?? 0;
}

/** Forgets all of an organization, however much that is. */
export async function forgetOrganization(database: Database, orgId: string): Promise<void> {
  await database.transaction(orgId, forgetAll, { lane: "bulk" });
}

async function forgetAll(tx: Transaction): Promise<void> {
  const { orgId } = tx;
  await tx`delete from analyzer.jobs where org_id = ${orgId}`;
  await tx`delete from analyzer.inputs where org_id = ${orgId}`;
  await tx`delete from analyzer.reviews where org_id = ${orgId}`;
  await tx`delete from analyzer.hosted_reviews where org_id = ${orgId}`;
  await tx`delete from analyzer.noise where org_id = ${orgId}`;
  await tx`delete from analyzer.noise_projects where org_id = ${orgId}`;
  await tx`delete from analyzer.applied_projects where org_id = ${orgId}`;
  await tx`delete from analyzer.settings where org_id = ${orgId}`;
}

/** What waits or is under way, of every organization. */
export async function backlog(sql: Statements): Promise<Waiting[]> {
  return sql<Waiting>`select queue, waiting, oldest_seconds from analyzer.backlog()`;
}
