import type { RiskLevel } from "@leeway/shared/contracts/analyzer/analysis";
import type { OrgStatements, Row } from "@leeway/shared/database/database";

import type { AnalyzeSubject } from "../jobs/subject.ts";

/** Addresses that a plan changes, with the actions. */
export type Planned = Readonly<Record<string, readonly string[]>>;

/** A merge or pull request whose latest plan changes an address. */
export interface PlannedChange {
  jobId: string;
  actions: readonly string[];
  subject: AnalyzeSubject;
  riskLevel: RiskLevel | undefined;
  plannedAt: Date;
}

/** Rows that are read at most: plans of many projects may have the same address. */
const MAX_READ = 200;

/** Stores what a plan changes, if it is the latest of its merge or pull request. */
export async function notePlanned(sql: OrgStatements, jobId: string, planned: Planned): Promise<void> {
  await sql`
    update analyzer.hosted_reviews
       set planned = ${sql.part.json(planned)}
     where org_id = ${sql.orgId}
       and job_id = ${jobId}
  `;
}

interface PlannedRow extends Row {
  id: string;
  subject: AnalyzeSubject;
  actions: string[];
  risk_level: RiskLevel | null;
  created_at: Date;
}

/** Returns the latest plans of merge and pull requests that change an address, newest first. */
export async function plansChanging(
  sql: OrgStatements,
  { address, repository }: { address: string; repository: string | undefined },
): Promise<PlannedChange[]> {
  const rows = await sql<PlannedRow>`
    select j.id, j.subject, r.planned -> ${address} as actions, j.risk_level, j.created_at
      from analyzer.hosted_reviews r
      join analyzer.jobs j on j.org_id = r.org_id and j.id = r.job_id
     where r.org_id = ${sql.orgId}
       and r.planned ? ${address}
       ${repository === undefined ? sql.part`` : sql.part`and r.repository = ${repository}`}
     order by j.id desc
     limit ${MAX_READ}
  `;
  return rows.map(({ id, subject, actions, risk_level, created_at }) => ({
    jobId: id,
    subject,
    actions,
    riskLevel: risk_level ?? undefined,
    plannedAt: created_at,
  }));
}
