import type { Bodies } from "@leeway/shared/bus/bodies";
import type { BusConnection } from "@leeway/shared/bus/connection";
import { call } from "@leeway/shared/bus/request";
import { ReportPlan } from "@leeway/shared/contracts/inventory/plans";
import type { Database } from "@leeway/shared/database/database";
import { derivedId } from "@leeway/shared/derived-id";
import type { KeyRing } from "@leeway/shared/keyring";

import { endJob, subjectOf, type Job, type NewJob } from "../jobs/store/jobs.ts";
import type { AnalyzeSubject, ReportSubject } from "../jobs/subject.ts";
import { knownNoise } from "../noise/store.ts";
import { projectKey, sourceNames } from "../reviews/project-key.ts";
import { findJudgement } from "../settings/settings.ts";
import type { PlanReader } from "./plan-reader.ts";
import { storedPlan } from "./stored-plan.ts";

export interface ReportDependencies {
  database: Database;
  bus: BusConnection;
  bodies: Bodies;
  ring: KeyRing;
  reader: PlanReader;
}

const MOST_BYTES = 64 << 20;

/**
 * The job that reports a plan, if anything of it is to be known beyond its analysis: what a merge request proposes says
 * nothing of what shall run.
 */
export function reportOf({ id, createdAt, subject }: Job & { subject: AnalyzeSubject }): NewJob | undefined {
  if (subject.change_request || sourceNames(subject).length === 0) return undefined;
  const planned_at = createdAt.toISOString();
  return { id: derivedId(id, "report"), subject: { kind: "plan_report", analyze_job_id: id, planned_at } };
}

/** Has the inventory know what a plan says of the state that it was made of. Told twice, it changes nothing more. */
export async function reportJob(
  deps: ReportDependencies,
  job: Job & { subject: ReportSubject },
): Promise<void> {
  const { orgId } = job;
  const sql = deps.database.org(orgId);
  const { analyze_job_id: id, planned_at } = job.subject;
  const of = await subjectOf(sql, id);
  const report = of?.kind === "analyze" ? await reportOn(deps, { orgId, id, subject: of }) : undefined;
  if (of?.kind === "analyze" && report !== undefined) {
    const { ref } = await deps.bodies.put(new Response(report).body ?? new ReadableStream(), MOST_BYTES);
    const source_names = sourceNames(of);
    await call(deps.bus, ReportPlan, { org_id: orgId, source_names, planned_at, body: { ref } });
  }
  await endJob(sql, job.id, {});
}

async function reportOn(
  deps: ReportDependencies,
  { orgId, id, subject }: { orgId: string; id: string; subject: AnalyzeSubject },
): Promise<string | undefined> {
  const sql = deps.database.org(orgId);
  const [plan, judgement, known] = await Promise.all([
    storedPlan(deps, { orgId, id }),
    findJudgement(sql),
    knownNoise(sql, projectKey(subject)),
  ]);
  return deps.reader.report(plan, { profile: judgement.risk_profile, ...known });
}
