import type { Source } from "@leeway/shared/contracts/webhooks/events";
import type { OrgStatements, Row } from "@leeway/shared/database/database";

/** The latest analysis of a project of a merge or pull request. */
export interface Review {
  repository: string;
  number: number;
  project: string;
  source: Source;
  configId: string | undefined;
  jobId: string;
  commentUrl: string | undefined;
}

interface ReviewRow extends Row {
  repository: string;
  number: number;
  project: string;
  source: Source;
  config_id: string | null;
  job_id: string;
  comment_url: string | null;
}

type Place = Pick<Review, "repository" | "number" | "project">;

/**
 * Has an analysis be the latest, unless a later one is: ids of jobs begin with the time. The one `inPlaceOf` gives way
 * though it is later. What was forgotten with its organization meanwhile is none.
 */
export async function noteReview(
  sql: OrgStatements,
  review: Omit<Review, "commentUrl">,
  inPlaceOf?: string,
): Promise<void> {
  const { repository, number, project, source, configId = null, jobId } = review;
  await sql`
    insert into analyzer.reviews as r (org_id, repository, number, project, source, config_id, job_id)
    select org_id, ${repository}, ${number}, ${project}, ${source}, ${configId}::uuid, id
      from analyzer.jobs
     where org_id = ${sql.orgId}
       and id = ${jobId}
    on conflict (org_id, repository, number, project) do update
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
  { repository, number, project }: Place,
  { source, url }: { source: Source; url: string | undefined },
): Promise<void> {
  await sql`
    update analyzer.reviews
       set comment_url = coalesce(${url ?? null}, comment_url), source = ${source}, commented_at = now()
     where org_id = ${sql.orgId}
       and repository = ${repository}
       and number = ${number}
       and project = ${project}
  `;
}

/** The reviews of a merge or pull request, by project. */
export async function reviewsOf(
  sql: OrgStatements,
  { repository, number }: { repository: string; number: number },
): Promise<Review[]> {
  const rows = await sql<ReviewRow>`
    select repository, number, project, source, config_id, job_id, comment_url
      from analyzer.reviews
     where org_id = ${sql.orgId}
       and repository = ${repository}
       and number = ${number}
     order by project
  `;
  return rows.map(({ config_id, job_id, comment_url, ...same }) => ({
    ...same,
    configId: config_id ?? undefined,
    jobId: job_id,
    commentUrl: comment_url ?? undefined,
  }));
}

export async function reviewOf(sql: OrgStatements, place: Place): Promise<Review | undefined> {
  const reviews = await reviewsOf(sql, place);
  return reviews.find(({ project }) => project === place.project);
}
