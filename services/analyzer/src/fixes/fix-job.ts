import { checkedFixWords, fixPrompt } from "@leeway/analysis/fix/words";
import type { FixResult } from "@leeway/shared/contracts/analyzer/analysis";
import type { Database } from "@leeway/shared/database/database";
import { AppError } from "@leeway/shared/errors";
import type { KeyRing } from "@leeway/shared/encryption/keyring";

import { openInput, sealResult } from "../jobs/input.ts";
import { endJob, type Job } from "../jobs/store/jobs.ts";
import type { FixSubject } from "../jobs/subject.ts";
import { askModel, type ModelDependencies } from "../narratives/ask-model.ts";
import { proposeStoredFix, type StoredFixWish } from "./propose-stored-fix.ts";

export interface FixJobDependencies extends ModelDependencies {
  database: Database;
  ring: KeyRing;
}

/**
 * Makes a fix by its template; a model words what it means, where one may be asked.
 * When a model was to be asked and failed, the job has.
 * @throws {AppError} `not_found`
 */
export async function fixJob(deps: FixJobDependencies, job: Job & { subject: FixSubject }): Promise<void> {
  const sql = deps.database.org(job.orgId);
  const { fingerprint, repository, strategy = "auto" } = job.subject;
  const sources = sourcesOf(deps.ring, job);
  const fix = await proposeStoredFix(sql, { fingerprint, repository, sources, strategy });
  if (!fix) throw new AppError("not_found", "there is no such noise");
  const said = await askModel(deps, job, fixPrompt(fix));
  if (!said.said && said.failed)
    return void (await endJob(sql, job.id, { error: { code: "model_failed", message: said.note } }));
  const words = said.said ? checkedFixWords(said.text, fix) : undefined;
  // Behind the template's own: what it couldn't do, and why, no model is trusted to repeat.
  const explanation = words?.ok ? `${fix.explanation}\n\n${words.text}` : fix.explanation;
  const result: FixResult = { ...fix, explanation };
  await endJob(sql, job.id, { sealed: sealResult(deps.ring, job.orgId, job.id, JSON.stringify(result)) });
}

function sourcesOf(ring: KeyRing, { orgId, id, input }: Job): StoredFixWish["sources"] {
  if (!input) return [];
  const sources: StoredFixWish["sources"] = JSON.parse(openInput(ring, orgId, id, input));
  return sources;
}
