import type { ListedJob } from "@leeway/shared/contracts/analyzer/jobs";
import { RETENTION } from "@leeway/shared/contracts/retention";
import type { OrgStatements, Row, Statements } from "@leeway/shared/database/database";
import { present } from "@leeway/shared/values/json";

import type { AnalyzeSubject } from "../subject.ts";

const DAY_MS = 86_400_000;

interface JobRow extends Row {
  id: string;
  kind: ListedJob["kind"];
  status: ListedJob["status"];
  repository: string | null;
  project: AnalyzeSubject["project"] | null;
  change_request: AnalyzeSubject["change_request"] | null;
  speculative: boolean | null;
  ref: string | null;
  commit_sha: string | null;
  author: string | null;
  pipeline_url: string | null;
  fingerprint: string | null;
  snapshot_id: string | null;
  risk_level: ListedJob["risk_level"] | null;
  gate_passed: boolean | null;
  error_code: string | null;
  error_message: string | null;
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
}

const columns = (sql: Statements) => sql.part`
  id, kind, status, subject->>'repository' as repository, subject->'project' as project,
  subject->'change_request' as change_request, (subject->'speculative')::boolean as speculative,
  subject->>'ref' as ref, subject->>'commit_sha' as commit_sha, subject->>'author' as author,
  subject->>'pipeline_url' as pipeline_url,
  subject->>'fingerprint' as fingerprint, subject->>'snapshot_id' as snapshot_id, risk_level, gate_passed, error_code, error_message,
  created_at, started_at, finished_at
`;
/** Kinds that the API shows. The other kinds only process webhook events. */
const shownKinds = (sql: Statements) => sql.part`kind in ('analyze', 'plan_noise_fix', 'drift_narrative')`;

interface JobFilters {
  kind: ListedJob["kind"] | undefined;
  status: ListedJob["status"] | undefined;
  ref: string | undefined;
  /** Part of what names a plan. */
  q: string | undefined;
}

/** Condition for jobs of plans that a text names. */
const named = ({ part }: Statements, text: string) => part`
  strpos(
    lower(concat_ws(
      chr(10), subject->>'repository', subject->>'ref', subject->>'commit_sha', subject->>'author', subject#>>'{project,name}',
      subject#>>'{project,dir}', subject#>>'{project,workspace}', '#' || (subject#>>'{change_request,number}')
    ) collate pg_c_utf8),
    lower(${text}::text collate pg_c_utf8)
  ) > 0
`;

/** Returns a page of jobs, newest first. `before` is the last id of the previous page. */
export async function listJobs(
  sql: OrgStatements,
  filters: JobFilters,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<ListedJob[]> {
  const { part } = sql;
  const rows = await sql<JobRow>`
    select ${columns(sql)}
      from analyzer.jobs
     where org_id = ${sql.orgId}
       and ${shownKinds(sql)}
       ${before === undefined ? part`` : part`and id < ${before}`}
       ${filters.kind === undefined ? part`` : part`and kind = ${filters.kind}`}
       ${filters.status === undefined ? part`` : part`and status = ${filters.status}`}
       ${filters.ref === undefined ? part`` : part`and subject->>'ref' = ${filters.ref}`}
       ${filters.q === undefined ? part`` : part`and ${named(sql, filters.q)}`}
     order by id desc
     limit ${limit}
  `;
  return rows.map(fromRow);
}

/** Returns a job as JSON, with its sealed result if it has one; undefined if no such job is shown. */
export async function shownJob(
  sql: OrgStatements,
  jobId: string,
): Promise<{ isOver: boolean; json: string; sealed: Uint8Array | undefined } | undefined> {
  const [row] = await sql<JobRow & { result: string | null; sealed_result: Uint8Array | null }>`
    select ${columns(sql)}, result, sealed_result
      from analyzer.jobs
     where org_id = ${sql.orgId}
       and id = ${jobId}
       and ${shownKinds(sql)}
  `;
  if (!row) return undefined;
  const { status, result } = row;
  const isOver = status === "done" || status === "error";
  const json = JSON.stringify(fromRow(row));
  // The result is inserted as stored text, without parsing it.
  const sealed = row.sealed_result ?? undefined;
  return { isOver, json: status === "done" && result !== null ? withResult(json, result) : json, sealed };
}

/** Inserts a result (JSON text) into the JSON of its job. */
export function withResult(json: string, result: string): string {
  return `${json.slice(0, -1)},"result":${result}}`;
}

function fromRow(row: JobRow): ListedJob {
  const { id, kind, status, repository, project, change_request, speculative, fingerprint, snapshot_id } =
    row;
  const { risk_level, gate_passed, error_code: code, error_message: message } = row;
  return {
    id,
    kind,
    status,
    ...present({ repository, project, change_request, speculative, fingerprint, snapshot_id }),
    ...present({ ref: row.ref, commit_sha: row.commit_sha, author: row.author }),
    ...present({ pipeline_url: row.pipeline_url }),
    ...present({ risk_level, gate_passed }),
    ...(code !== null && { error: { code, message: message ?? "" } }),
    created_at: row.created_at.toISOString(),
    ...present({ started_at: row.started_at?.toISOString(), finished_at: row.finished_at?.toISOString() }),
    expires_at: new Date(row.created_at.getTime() + RETENTION.jobs.days * DAY_MS).toISOString(),
  };
}
