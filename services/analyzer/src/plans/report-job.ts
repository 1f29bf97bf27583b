import type { Bodies } from "@leeway/shared/bus/bodies";
import type { BusConnection } from "@leeway/shared/bus/connection";
import { call } from "@leeway/shared/bus/request";
import type { Input } from "@leeway/shared/contracts/contract";
import { ReportPlan } from "@leeway/shared/contracts/inventory/plans";
import type { Database } from "@leeway/shared/database/database";
import type { KeyRing } from "@leeway/shared/security/encryption/keyring";
import { AppError, unavailable } from "@leeway/shared/values/errors";
import { present } from "@leeway/shared/values/json";

import { endJob, sealedInput, subjectOf, type Job } from "../jobs/store/jobs.ts";
import type { AnalyzeSubject, ReportSubject } from "../jobs/subject.ts";
import { knownNoise } from "../noise/store.ts";
import { projectKey, sourceNames } from "../reviews/project-key.ts";
import { findJudgement } from "../settings/settings.ts";
import { repositoryOf } from "./reports.ts";
import type { PlanReader } from "../plan-reader.ts";
import { openPlan } from "../jobs/input.ts";

export interface ReportDependencies {
  database: Database;
  bus: BusConnection;
  /** Bodies sent to the inventory. */
  inventoryBodies: Bodies;
  ring: KeyRing;
  reader: PlanReader;
}

const MAX_BYTES = 64 << 20;

/** Reports to the inventory what a plan shows about the state it was made from. A repeated report changes nothing. */
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
    const repository = repositoryOf(of);
    const planned = { org_id: orgId, source_names: sourceNames(of), planned_at, ...present({ repository }) };
    await sendReport(deps, report, planned);
  }
  await endJob(sql, job.id, {});
}

async function sendReport(
  { bus, inventoryBodies }: ReportDependencies,
  report: string,
  planned: Omit<Input<typeof ReportPlan>, "body">,
): Promise<void> {
  const { ref } = await inventoryBodies.put(new Blob([report]).stream(), MAX_BYTES);
  try {
    await call(bus, ReportPlan, { ...planned, body: { ref } });
  } catch (error) {
    // An older inventory doesn't know repositories: the report waits for the upgrade.
    const isOlder = error instanceof AppError && error.code === "invalid_parameter";
    throw isOlder
      ? unavailable(
          "the inventory service doesn't accept reports with a repository yet; retrying after its upgrade",
          error,
        )
      : error;
  } finally {
    await inventoryBodies.delete(ref); // the inventory may not have received the reference
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
    knownNoise(sql, { project: projectKey(subject), repository: subject.repository }),
  ]);
  const plan = openPlan(deps.ring, { orgId, id, input });
  return deps.reader.report(orgId, plan, [{ profile: judgement.risk_profile, ...known }]);
}
