import type { Source } from "@leeway/shared/contracts/webhooks/events";
import type { OrgStatements, Row } from "@leeway/shared/database/database";

/** The latest analysis of a project of a merge or pull request. */
export interface Review {
  /** Of the merge or pull request, as `hostOf` gives it; empty where no plan has told it. */
  host: string;
  repository: string;
  number: number;
  project: string;
  source: Source;
  configId: string | undefined;
  jobId: string;
  commentUrl: string | undefined;
}

interface ReviewRow extends Row {
  host: string;
  repository: string;
  number: number;
  project: string;
  source: Source;
  config_id: string | null;
  job_id: string;
  comment_url: string | null;
}

/** What tells reviews apart. */
export type ReviewKey = Pick<Review, "host" | "repository" | "number" | "project">;

/**
 * Has an analysis be the latest, unless a later one is: ids of jobs begin with the time. The one `inPlaceOf` gives way
 * though it is later. What was forgotten with its organization meanwhile is none.
 */
export async function noteReview(
  sql: OrgStatements,
  review: Omit<Review, "commentUrl">,
  inPlaceOf?: string,
): Promise<void> {
  const { host, repository, number, project, source, configId = null, jobId } = review;
  await sql`
    insert into analyzer.hosted_reviews as r (
      org_id, host, repository, number, project, source, config_id, job_id
    )
    select org_id, ${host}, ${repository}, ${number}, ${project}, ${source}, ${configId}::uuid, id
      from analyzer.jobs
     where org_id = ${sql.orgId}
       and id = ${jobId}
    on conflict (org_id, repository, number, project, host) do update
       set source = excluded.source,
           config_id = coalesce(excluded.config_id, r.config_id),
           job_id = excluded.job_id,
           updated_at = now()
     where r.job_id <= excluded.job_id
        or r.job_id = ${inPlaceOf ?? null}::uuid
  `;
}

/** Where the comment of a project stands now. */
export async function noteComment(
  sql: OrgStatements,
  key: ReviewKey,
  { source, url }: { source: Source; url: string | undefined },
): Promise<void> {
  await sql`
    update analyzer.hosted_reviews
       set comment_url = coalesce(${url ?? null}, comment_url), source = ${source}, commented_at = now()
     where ${isAt(sql, key)}
  `;
}

/** Has the review of a host that no plan had told be of the one that a plan tells. */
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
 * The reviews of a merge or pull request, by project: the one of its host, else of no host that is known. Where `host` is
 * empty, whatever host's is the latest.
 */
export async function reviewsOf(
  sql: OrgStatements,
  { host, repository, number }: Omit<ReviewKey, "project">,
): Promise<Review[]> {
  const rows = await sql<ReviewRow>`
    select distinct on (project) host, repository, number, project, source, config_id, job_id, comment_url
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
 * The review of a project of a merge or pull request: the one of its host, else of no host that is known. Where `host` is
 * empty, that of the only host that has one.
 */
export async function reviewOf(
  sql: OrgStatements,
  { host, repository, number, project }: ReviewKey,
): Promise<Review | undefined> {
  const rows = await sql<ReviewRow>`
    select host, repository, number, project, source, config_id, job_id, comment_url
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

function fromRow({ config_id, job_id, comment_url, ...same }: ReviewRow): Review {
  const [configId, commentUrl] = [config_id ?? undefined, comment_url ?? undefined];
  return { ...same, configId, jobId: job_id, commentUrl };
}
