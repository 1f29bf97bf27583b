import type { FixResult } from "@leeway/shared/contracts/analyzer/analysis";
import type { ChangeRequest } from "@leeway/shared/contracts/analyzer/change-request";

import { audit } from "../audit.ts";
import type { Job } from "../jobs/store/jobs.ts";
import type { FixSubject } from "../jobs/subject.ts";
import { putFix } from "../settlements/fix-store.ts";
import { publish } from "../settlements/publish.ts";
import { readFolder, type CodeSource, type SettleDependencies } from "../settlements/source.ts";
import { findSource } from "./source-to-fix.ts";

type FixJob = Job & { subject: FixSubject };

/** A source whose merge or pull request should contain a fix. */
interface OpenedRequest {
  source: CodeSource;
  /** Its code, as the JSON of a `FixInput`'s `source`. */
  sources: string;
  /** Why its code can't be read. */
  problem?: string;
}

/** Reads the code that a requested fix changes; undefined if no request is wanted. @throws {AppError} `unavailable` */
export async function openRequest(
  deps: SettleDependencies,
  { orgId, subject: { request } }: FixJob,
): Promise<OpenedRequest | undefined> {
  if (!request) return undefined;
  const source = await findSource(deps.bus, orgId, request.source_id);
  const folder = await readFolder(deps.bus, orgId, source.repository);
  if ("refused" in folder) return { source, sources: "[]", problem: folder.refused };
  const sources = JSON.stringify(folder.files.map(({ path, text: hcl }) => ({ path, hcl })));
  return { source, sources };
}

/**
 * Puts a fix on the merge or pull request of its source, with everything else that is decided about the source.
 * @returns undefined if the code needs no change
 * @throws {AppError} `unavailable`
 */
export async function requestFix(
  deps: SettleDependencies,
  { orgId, subject: { fingerprint, strategy = "auto", request } }: FixJob,
  { source, problem, fix }: OpenedRequest & { fix: FixResult },
): Promise<ChangeRequest | undefined> {
  if (problem !== undefined) return { branch: "", status: "refused", problem };
  if (fix.patches.length === 0 || !request) return undefined;
  const decidedBy = request.decided_by;
  await deps.database.transaction(orgId, async (tx) => {
    await putFix(tx, source.id, { fingerprint, strategy, decidedBy });
    const details = { strategy, source: source.name, repository: source.repository.path };
    await audit(tx, { action: "plan_noise.fix", targetId: fingerprint, actor: decidedBy, details });
  });
  return publish(deps, orgId, source);
}
