import type { Bodies } from "@leeway/shared/bus/bodies";
import type { BusConnection } from "@leeway/shared/bus/connection";
import { call } from "@leeway/shared/bus/request";
import type { Input } from "@leeway/shared/contract";
import { ReportPlan } from "@leeway/shared/contracts/inventory/plans";
import type { Database } from "@leeway/shared/database/database";
import type { KeyRing } from "@leeway/shared/encryption/keyring";

import { endJob, sealedInput, subjectOf, type Job } from "../jobs/store/jobs.ts";
import type { AnalyzeSubject, ReportSubject } from "../jobs/subject.ts";
import { knownNoise } from "../noise/store.ts";
import { projectKey, sourceNames } from "../reviews/project-key.ts";
import { findJudgement } from "../settings/settings.ts";
import type { PlanReader } from "./plan-reader.ts";
import { openPlan } from "./open-plan.ts";

export interface ReportDependencies {
  database: Database;
  bus: BusConnection;
  bodies: Bodies;
  ring: KeyRing;
  reader: PlanReader;
}

const MOST_BYTES = 64 << 20;

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
    await tell(deps, report, { org_id: orgId, source_names: sourceNames(of), planned_at });
  }
  await endJob(sql, job.id, {});
}

async function tell(
  { bus, bodies }: ReportDependencies,
  report: string,
  planned: Omit<Input<typeof ReportPlan>, "body">,
): Promise<void> {
  const { ref } = await bodies.put(new Blob([report]).stream(), MOST_BYTES);
  try {
    await call(bus, ReportPlan, { ...planned, body: { ref } });
  } finally {
    await bodies.delete(ref); // the inventory may never have heard of it
  }
}

async function reportOn(
  deps: ReportDependencies,
  { orgId, id, subject }: { orgId: string; id: string; subject: AnalyzeSubject },
): Promise<string | undefined> {
  const sql = deps.database.org(orgId);
  const [input, judgement, known] = await Promise.all([
    sealedInput(sql, id),
    findJudgement(sql),
    knownNoise(sql, projectKey(subject)),
  ]);
  const plan = openPlan(deps.ring, { orgId, id, input });
  return deps.reader.report(plan, { profile: judgement.risk_profile, ...known });
}
