import type { Input } from "@leeway/shared/contract";
import type { DecideDrift, DriftChange } from "@leeway/shared/contracts/inventory/drift";
import type { Database } from "@leeway/shared/database/database";
import { AppError, invalidParameter } from "@leeway/shared/errors";

import { getPresent } from "./store/changes.ts";
import { accountOfChange, isIgnored, noteDecision, openEnded } from "./store/decisions.ts";
import { countRisk, latestNumber, lockDrift } from "./store/settle.ts";

/**
 * Decides about a change, and counts the risk of its account anew.
 * @throws {AppError} `not_found`, `invalid_parameter`, `forbidden`
 */
export async function decideDrift(
  database: Database,
  { org_id, fingerprint, status, until, reason, decided_by, keeps_ignored }: Input<typeof DecideDrift>,
): Promise<DriftChange> {
  const end = until === undefined ? undefined : new Date(until);
  if (end && status !== "ignored") throw invalidParameter("until", "is for what is ignored");
  if (end && end.getTime() <= Date.now()) throw invalidParameter("until", "must be to come");
  await database.transaction(org_id, async (tx) => {
    const accountId = await accountOfChange(tx, fingerprint);
    if (accountId === undefined) throw notFound();
    await lockDrift(tx, accountId, "decide");
    if (keeps_ignored && (await isIgnored(tx, fingerprint))) {
      throw new AppError(
        "forbidden",
        "the change is ignored: to take that back takes the role admin or above",
      );
    }
    if (!(await noteDecision(tx, fingerprint, { status, until: end, reason, by: decided_by })))
      throw notFound();
    await countRisk(tx, accountId, (await latestNumber(tx, accountId)) ?? 0);
  });
  const change = await getPresent(database.org(org_id), fingerprint);
  if (!change) throw notFound();
  return change;
}

/** Has what an account ignored count again once its time is over. */
export async function endIgnores(database: Database, orgId: string, accountId: string): Promise<void> {
  await database.transaction(orgId, async (tx) => {
    await lockDrift(tx, accountId, "decide");
    await openEnded(tx, accountId);
    await countRisk(tx, accountId, (await latestNumber(tx, accountId)) ?? 0);
  });
}

function notFound(): AppError {
  return new AppError("not_found", "no account has such a change now");
}
