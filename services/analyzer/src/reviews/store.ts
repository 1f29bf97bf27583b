import {
  hostKindOf,
  wordOf,
  type CodeHostKind,
  type HostWord,
} from "@leeway/shared/contracts/webhooks/code-hosts";
import type { OrgStatements, Row } from "@leeway/shared/database/database";

/** The latest analysis of a project in a merge or pull request. */
export interface Review {
  /** Host of the merge or pull request, from `hostOf`; empty if no plan contained it. */
  host: string;
  repository: string;
  number: number;
  project: string;
  codeHost: CodeHostKind;
  configId: string | undefined;
  jobId: string;
  commentUrl: string | undefined;
  /** Commit of the current comment, and of its version for the commit before. */
  commentCommit: string | undefined;
  previousCommit: string | undefined;
}

/** A review created by a plan, before there is a comment. */
export type NewReview = Omit<Review, "commentUrl" | "commentCommit" | "previousCommit">;

interface ReviewRow extends Row {
  host: string;
  repository: string;
  number: number;
  project: string;
  source: HostWord;
  config_id: string | null;
  job_id: string;
  comment_url: string | null;
  comment_commit: string | null;
  previous_commit: string | null;
}

/** Key of a review. */
export type ReviewKey = Pick<Review, "host" | "repository" | "number" | "project">;

/**
 * Stores an analysis as the latest, unless there is a later one. Job ids start with the time. The job `inPlaceOf` is
 * replaced even if it is later. Does nothing if the job was deleted with its organization.
 */
export async function noteReview(sql: OrgStatements, review: NewReview, inPlaceOf?: string): Promise<void> {
  const { host, repository, number, project, codeHost, configId = null, jobId } = review;
  await sql`
    insert into analyzer.hosted_reviews as r (
      org_id, host, repository, number, project, source, config_id, job_id
    )
    select org_id, ${host}, ${repository}, ${number}, ${project}, ${wordOf(codeHost)}, ${configId}::uuid, id
      from analyzer.jobs
     where org_id = ${sql.orgId}
       and id = ${jobId}
    on conflict (org_id, repository, number, project, host) do update
       set source = excluded.source,
           config_id = coalesce(excluded.config_id, r.config_id),
           job_id = excluded.job_id,
           updated_at = excluded.updated_at
     where r.job_id <= excluded.job_id
        or r.job_id = ${inPlaceOf ?? null}::uuid
  `;
}

/** Stores the URL of a project's comment, and the commits it mentions. */
export async function noteComment(
  sql: OrgStatements,
  key: ReviewKey,
  {
    codeHost,
    url,
    commit,
    previousCommit,
  }: {
    codeHost: CodeHostKind;
    url: string | undefined;
    commit: string | undefined;
    previousCommit: string | undefined;
  },
): Promise<void> {
  await sql`
    update analyzer.hosted_reviews
       set comment_url = coalesce(${url ?? null}, comment_url), source = ${wordOf(codeHost)}, commented_at = now(),
           comment_commit = ${commit ?? null}, previous_commit = ${previousCommit ?? null}
     where ${isAt(sql, key)}
  `;
}

/** Sets the host of a review that was stored before its host was known. */
export async function noteHost(sql: OrgStatements, key: ReviewKey, host: string): Promise<void> {
  await sql`update analyzer.hosted_reviews set host = ${host} where ${isAt(sql, key)}`;
}

const isAt = (sql: OrgStatements, { host, repository, number, project }: ReviewKey) => sql.part`
  org_id = ${sql.orgId}
  and repository = ${repository}
  and number = ${number}
  and project = ${project}
  and host = ${host}
`;

/**
 * Returns the reviews of a merge or pull request, one per project: the one on its host, or else one with an unknown
 * host. If `host` is empty, the latest on any host.
 */
export async function reviewsOf(
  sql: OrgStatements,
  { host, repository, number }: Omit<ReviewKey, "project">,
): Promise<Review[]> {
  const rows = await sql<ReviewRow>`
    select distinct on (project) host, repository, number, project, source, config_id, job_id, comment_url,
           comment_commit, previous_commit
      from analyzer.hosted_reviews
     where org_id = ${sql.orgId}
       and repository = ${repository}
       and number = ${number}
       and (${host} in ('', host) or host = '')
     order by project, host = ${host} desc, job_id desc
  `;
  return rows.map(fromRow);
}

/**
 * Returns the review of a project in a merge or pull request: the one on its host, or else one with an unknown host.
 * If `host` is empty, a review on the only host that has one.
 */
export async function reviewOf(
  sql: OrgStatements,
  { host, repository, number, project }: ReviewKey,
): Promise<Review | undefined> {
  const rows = await sql<ReviewRow>`
    select host, repository, number, project, source, config_id, job_id, comment_url, comment_commit, previous_commit
      from analyzer.hosted_reviews
     where org_id = ${sql.orgId}
       and repository = ${repository}
       and number = ${number}
       and project = ${project}
  `;
  const [only, ...others] = rows;
  const instead = host === "" && others.length === 0 ? only : rows.find((row) => row.host === "");
  const found = rows.find((row) => row.host === host) ?? instead;
  return found && fromRow(found);
}

function fromRow({
  source,
  config_id,
  job_id,
  comment_url,
  comment_commit,
  previous_commit,
  ...same
}: ReviewRow): Review {
  return {
    ...same,
    codeHost: hostKindOf(source),
    configId: config_id ?? undefined,
    jobId: job_id,
    commentUrl: comment_url ?? undefined,
    commentCommit: comment_commit ?? undefined,
    previousCommit: previous_commit ?? undefined,
  };
}
