import type { FixResult } from "@leeway/shared/contracts/analyzer/analysis";
import type { ChangeRequest } from "@leeway/shared/contracts/analyzer/change-request";
import { AppError } from "@leeway/shared/values/errors";
import type { KeyRing } from "@leeway/shared/security/encryption/keyring";

import { openInput, sealResult } from "../jobs/input.ts";
import { endJob, type Job } from "../jobs/store/jobs.ts";
import type { FixSubject } from "../jobs/subject.ts";
import { askModel, type ModelDependencies } from "../narratives/ask-model.ts";
import type { SettleDependencies } from "../settlements/source.ts";
import { present } from "@leeway/shared/values/json";
import { openRequest, requestFix } from "./request-fix.ts";
import { proposeStoredFix } from "../noise/propose-stored-fix.ts";

export interface FixJobDependencies extends ModelDependencies, SettleDependencies {
  ring: KeyRing;
}

/**
 * Creates a fix from its template. A model explains it if the organization may call one; if that call fails, so does
 * the job.
 * @throws {AppError} `not_found`; `too_slow_to_read`
 */
export async function fixJob(deps: FixJobDependencies, job: Job & { subject: FixSubject }): Promise<void> {
  const sql = deps.database.org(job.orgId);
  const { fingerprint, repository, strategy = "auto" } = job.subject;
  const requested = await openRequest(deps, job);
  const sources = requested?.sources ?? sourcesGiven(deps, job);
  const made = await proposeStoredFix(sql, deps.reader, { fingerprint, repository, sources, strategy });
  if (!made) throw new AppError("not_found", "no plan noise has this fingerprint");
  const { fix, question } = made;
  // Comes first, because it may have to be repeated, and a model is asked once.
  const request = requested && (await requestFix(deps, job, { ...requested, fix }));
  const said = await askModel(deps, job, question);
  if (!said.said && said.failed)
    return void (await endJob(sql, job.id, { error: { code: "model_failed", message: said.note } }));
  const result: FixResult = {
    ...fix,
    ...(said.said && { narrative: said.narrative }),
    ...(request && requestedFields(request)),
  };
  await endJob(sql, job.id, { sealed: sealResult(deps.ring, job.orgId, job.id, JSON.stringify(result)) });
}

/** Returns the code of the submission, as the JSON of a `FixInput`'s `source`. */
function sourcesGiven({ ring }: FixJobDependencies, { orgId, id, input }: Job): string {
  return input ? openInput(ring, orgId, id, input) : "[]";
}

function requestedFields(request: ChangeRequest): Pick<FixResult, "change_request" | "change_request_url"> {
  return { change_request: request, ...present({ change_request_url: request.url }) };
}
