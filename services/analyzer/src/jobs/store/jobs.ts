import type { AnalyzeResult } from "@leeway/shared/contracts/analyzer/analysis";
import type { LlmJob } from "@leeway/shared/contracts/analyzer/jobs";
import { RETENTION } from "@leeway/shared/contracts/retention";
import type { Database, OrgStatements, Row, Statements, Transaction } from "@leeway/shared/database/database";
import { present } from "@leeway/shared/values/json";
import type { Waiting } from "@leeway/shared/platform/telemetry/backlog";

import type { Subject } from "../subject.ts";

/** Job as its worker receives it. */
export interface Job {
  id: string;
  orgId: string;
  subject: Subject;
  /** Result so far, as JSON; undefined before the first attempt stores it. */
  result: string | undefined;
  /** Plan or sources, sealed; undefined when there are none or they were deleted. */
  input: Uint8Array | undefined;
  createdAt: Date;
  /** Time of the first attempt. */
  startedAt: Date;
  /** Number of attempts, including this one. */
  attempts: number;
}

export interface NewJob {
  id: string;
  subject: Subject;
  /** Input sealed by `sealInput`. */
  input?: Buffer | undefined;
  /** Result of a job that is done already; the job is stored as done. */
  kept?: Pick<AnalyzeResult, "risk_level" | "gate"> | undefined;
  /** Pause before the first attempt; then the sweep offers the job. */
  pauseSeconds?: number | undefined;
}

/** Creation times of stored jobs, by job id. */
export type StoredJobs = ReadonlyMap<string, Date>;

/** Stores jobs in one statement, and skips jobs that exist. @returns the jobs that it stored */
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
      returning id
    )
    select id, created_at from stored
  `;
  return new Map(rows.map(({ id, created_at: createdAt }) => [id, createdAt]));
}

/** Status of a job. */
export interface Standing {
  status: LlmJob["status"];
  createdAt: Date;
}

/** Returns the status of a job; undefined if the job doesn't exist or was deleted. */
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

/**
 * Begins a job, or continues an abandoned one. Returns undefined if the job has ended, is gone, pauses or is being
 * worked on.
 */
export async function beginJob(
  sql: OrgStatements,
  { id: jobId, abandoned }: { id: string; abandoned: boolean },
): Promise<Job | undefined> {
  const [row] = await sql<JobRow>`
    with begun as (
      update analyzer.jobs
         set status = 'running', started_at = least(started_at, now()), attempts = attempts + 1, offered_at = now()
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

/** Stores the result of a running job, unless an earlier attempt stored one. @returns the stored result */
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

/** End of a job: its result, plain or sealed, or an error. */
type End =
  | { result?: string; verdict?: Pick<AnalyzeResult, "errored" | "risk_level" | "gate"> }
  | { sealed: Buffer }
  | { error: { code: string; message: string } };

/** Ends a job; a second call matches no row. @returns whether this call ended it */
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
  // A failed plan without findings isn't known to be without risk.
  const isUnknown = verdict?.errored && verdict.risk_level === "none";
  return {
    ...present({ result: result || undefined, riskLevel: isUnknown ? undefined : verdict?.risk_level }),
    ...(verdict && { gatePassed: verdict.gate.passed }),
  };
}

/** Returns the result of a job as JSON; undefined if it has none. */
export async function resultOf(sql: OrgStatements, jobId: string): Promise<string | undefined> {
  const [row] = await sql<{ result: string | null }>`
    select result from analyzer.jobs where org_id = ${sql.orgId} and id = ${jobId}
  `;
  return row?.result ?? undefined;
}

/** Replaces the result of a finished job. */
export async function replaceResult(sql: OrgStatements, jobId: string, result: string): Promise<void> {
  await sql`
    update analyzer.jobs
       set result = ${result}
     where org_id = ${sql.orgId}
       and id = ${jobId}
       and status = 'done'
  `;
}

/** Returns the task of a job, whatever its status. */
export async function subjectOf(sql: OrgStatements, jobId: string): Promise<Subject | undefined> {
  const [row] = await sql<{ subject: Subject }>`
    select subject from analyzer.jobs where org_id = ${sql.orgId} and id = ${jobId}
  `;
  return row?.subject;
}

/** Returns a job's sealed input; undefined when the job has none or it was deleted. */
export async function sealedInput(sql: OrgStatements, jobId: string): Promise<Uint8Array | undefined> {
  const [row] = await sql<{ sealed: Uint8Array }>`
    select sealed from analyzer.inputs where org_id = ${sql.orgId} and id = ${jobId}
  `;
  return row?.sealed;
}

/** Creates partitions for the coming days, and drops expired ones. */
export async function deleteExpired(sql: Statements): Promise<void> {
  await sql`select analyzer.keep_partitions(${RETENTION.jobs.days}, ${RETENTION.inputs.days})`;
}

/**
 * Deletes rows that no plan has shown for `days`, up to `atMost` per table.
 * @returns whether more may be left
 */
export async function forgetUnseen(
  sql: Statements,
  { days, atMost }: { days: number; atMost: number },
): Promise<boolean> {
  const [row] = await sql<{ forgotten: number }>`select analyzer.forget(${days}, ${atMost}) as forgotten`;
  return row?.forgotten === atMost;
}

/** Deletes all rows of an organization. */
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
  await tx`delete from analyzer.settlements where org_id = ${orgId}`;
  await tx`delete from analyzer.requested_fixes where org_id = ${orgId}`;
  await tx`delete from analyzer.settlement_branches where org_id = ${orgId}`;
  await tx`delete from analyzer.settings where org_id = ${orgId}`;
  await tx`delete from analyzer.audit_outbox where org_id = ${orgId}`;
}

/** Counts waiting and running jobs of all organizations. */
export async function backlog(sql: Statements): Promise<Waiting[]> {
  return sql<Waiting>`select queue, waiting, oldest_seconds from analyzer.backlog()`;
}
