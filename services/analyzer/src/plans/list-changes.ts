import type { Input, Output } from "@leeway/shared/contracts/contract";
import type { ListPlanChanges } from "@leeway/shared/contracts/analyzer/jobs";
import type { Database } from "@leeway/shared/database/database";
import type { KeyRing } from "@leeway/shared/security/encryption/keyring";
import { AppError } from "@leeway/shared/values/errors";

import { sealedInput, subjectOf } from "../jobs/store/jobs.ts";
import type { PlanReader } from "../plan-reader.ts";
import { openPlan } from "../jobs/input.ts";

/** Lists what a plan changes. @throws {AppError} `not_found` also if the plan is deleted already */
export async function listPlanChanges(
  { database, ring, reader }: { database: Database; ring: KeyRing; reader: PlanReader },
  { org_id: orgId, job_id: jobId, address }: Input<typeof ListPlanChanges>,
): Promise<Output<typeof ListPlanChanges>> {
  const id = jobId.toLowerCase();
  const sql = database.org(orgId);
  const subject = await subjectOf(sql, id);
  if (subject?.kind !== "analyze") throw new AppError("not_found", "the plan doesn't exist");
  return reader.changes(orgId, openPlan(ring, { orgId, id, input: await sealedInput(sql, id) }), address);
}
