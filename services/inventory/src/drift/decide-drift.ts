import type { Input } from "@leeway/shared/contracts/contract";
import type { DecideDrift, DriftChange } from "@leeway/shared/contracts/inventory/drift";
import type { Database } from "@leeway/shared/database/database";
import { AppError, invalidParameter } from "@leeway/shared/values/errors";

import { audit } from "../audit.ts";
import { refuseUnlessBound } from "../sources/binding.ts";
import { sourceOfChange } from "../sources/store/bindings.ts";
import { getPresent } from "./store/changes.ts";
import { accountOfChange, isIgnored, noteDecision, openEnded } from "./store/decisions.ts";
import { countRisk, lockDrift } from "./store/settle.ts";

/**
 * Stores a decision about a change, and recounts its account's risk.
 * @throws {AppError} `not_found`, `invalid_parameter`, `forbidden`, `repository_mismatch`
 */
export async function decideDrift(
  database: Database,
  {
    org_id,
    fingerprint,
    status,
    until,
    reason,
    decided_by,
    keeps_ignored,
    repository,
  }: Input<typeof DecideDrift>,
): Promise<DriftChange> {
  const end = endOf({ status, until });
  await database.transaction(org_id, async (tx) => {
    const accountId = await accountOfChange(tx, fingerprint);
    if (accountId === undefined) throw notFound();
    if (repository) refuseUnlessBound(await sourceOfChange(tx, accountId, fingerprint), repository);
    await lockDrift(tx, accountId, "decide");
    if (keeps_ignored && (await isIgnored(tx, fingerprint))) {
      throw new AppError(
        "forbidden",
        "the change is ignored; changing that requires the role admin or above",
      );
    }
    if (!(await noteDecision(tx, fingerprint, { status, until: end, reason, by: decided_by })))
      throw notFound();
    const details = { status, reason, until: end?.toISOString(), repository: repository?.path };
    await audit(tx, { action: "drift_change.decide", targetId: fingerprint, actor: decided_by, details });
    await countRisk(tx, accountId);
  });
  const change = await getPresent(database.org(org_id), fingerprint);
  if (!change) throw notFound();
  return change;
}

/**
 * Returns the time at which an ignored change is reopened.
 * @throws {AppError} `invalid_parameter`
 */
export function endOf({
  status,
  until,
}: Pick<Input<typeof DecideDrift>, "status"> & { until?: string | undefined }): Date | undefined {
  const end = until === undefined ? undefined : new Date(until);
  if (end && status !== "ignored") throw invalidParameter("until", "requires status ignored");
  if (end && end.getTime() <= Date.now()) throw invalidParameter("until", "must be in the future");
  return end;
}

/** Reopens an account's ignored changes whose time is over. */
export async function endIgnores(database: Database, orgId: string, accountId: string): Promise<void> {
  await database.transaction(orgId, async (tx) => {
    await lockDrift(tx, accountId, "decide");
    const opened = await openEnded(tx, accountId);
    const details = { account_id: accountId, changes: opened };
    if (opened > 0) await audit(tx, { action: "drift_change.reopen", targetId: accountId, details });
    await countRisk(tx, accountId);
  });
}

function notFound(): AppError {
  return new AppError("not_found", "no account currently has this change");
}
