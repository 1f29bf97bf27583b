import type { Input } from "@leeway/shared/contracts/contract";
import {
  MAX_DECIDED,
  UNDOABLE_DAYS,
  type DecideMany,
  type DriftDecision,
  type UndoDecision,
} from "@leeway/shared/contracts/inventory/decisions";
import type { Database, Transaction } from "@leeway/shared/database/database";
import { withLookups } from "@leeway/shared/database/with-lookups";
import { AppError, invalidParameter } from "@leeway/shared/values/errors";

import { audit } from "../audit.ts";
import { endOf } from "./decide-drift.ts";
import { presentFilter } from "./present-filter.ts";
import type { Decided } from "./store/decisions.ts";
import {
  accountsOfChosen,
  accountsOfDecision,
  decideChosen,
  getDecision,
  insertDecision,
  undoDecision,
  type Chosen,
} from "./store/many-decisions.ts";
import { countRisk, lockDrift } from "./store/settle.ts";

/**
 * Decides on many changes in one transaction. If the id exists already, returns that decision.
 * @throws {AppError} `invalid_parameter`, `not_found`, `forbidden`
 */
export async function decideMany(
  database: Database,
  input: Input<typeof DecideMany>,
): Promise<DriftDecision> {
  const { org_id, decision_id: id = Bun.randomUUIDv7(), status, reason, decided_by } = input;
  const decided = { status, until: endOf(input), reason, by: decided_by };
  const chosen = chosenIn(input);
  await database.transaction(
    org_id,
    async (tx) => {
      if (!(await getDecision(tx, id))) await decideIn(tx, { id, chosen, decided });
    },
    { lane: "bulk" },
  );
  return findDecision(database, org_id, id);
}

async function decideIn(
  tx: Transaction,
  { id, chosen, decided }: { id: string; chosen: Chosen; decided: Decided },
): Promise<void> {
  const { accountIds, count } = await accountsOfChosen(tx, chosen);
  if (count > MAX_DECIDED)
    throw invalidParameter(
      "filter",
      `matches ${count} changes; at most ${MAX_DECIDED} can be decided at once`,
    );
  if (chosen.keepsIgnored && chosen.fingerprints) await refuseIgnored(tx, chosen, count);
  for (const accountId of accountIds) await lockDrift(tx, accountId, "decide");
  const decidedCount = await withLookups(tx, () => decideChosen(tx, { id, accountIds, chosen }, decided));
  if (decidedCount === 0) throw new AppError("not_found", "no account currently has such a change");
  await insertDecision(tx, id, { ...decided, count: decidedCount });
  const { status, until, reason, by } = decided;
  const details = {
    status,
    reason,
    until: until?.toISOString(),
    changes: decidedCount,
    filter: chosen.fingerprints ? undefined : JSON.stringify(chosen.filter),
  };
  await audit(tx, { action: "drift_change.decide_many", targetId: id, actor: by, details });
  for (const accountId of accountIds) await countRisk(tx, accountId);
}

/** @throws {AppError} `forbidden` if some of the named changes are ignored */
async function refuseIgnored(tx: Transaction, chosen: Chosen, count: number): Promise<void> {
  const all = await accountsOfChosen(tx, { ...chosen, keepsIgnored: false });
  if (all.count === count) return;
  throw new AppError(
    "forbidden",
    `${all.count - count} of the changes are ignored; changing that requires the role admin or above`,
  );
}

/** @throws {AppError} `not_found`; `conflict` if it is undone already or too old */
export async function undoMany(
  database: Database,
  { org_id, decision_id: id }: Input<typeof UndoDecision>,
): Promise<DriftDecision> {
  await database.transaction(
    org_id,
    async (tx) => {
      if (!(await getDecision(tx, id))) throw noDecision();
      const accountIds = await accountsOfDecision(tx, id);
      for (const accountId of accountIds) await lockDrift(tx, accountId, "decide");
      const restored = await withLookups(tx, () => undoDecision(tx, id));
      if (restored === undefined)
        throw new AppError("conflict", `the decision is undone already, or older than ${UNDOABLE_DAYS} days`);
      await audit(tx, { action: "drift_change.undo", targetId: id, details: { changes: restored } });
      for (const accountId of accountIds) await countRisk(tx, accountId);
    },
    { lane: "bulk" },
  );
  return findDecision(database, org_id, id);
}

async function findDecision(database: Database, orgId: string, id: string): Promise<DriftDecision> {
  const decision = await getDecision(database.org(orgId), id);
  if (!decision) throw noDecision();
  return decision;
}

/** @throws {AppError} `invalid_parameter` unless exactly one of fingerprints and filter is given */
function chosenIn({ fingerprints, filter, keeps_ignored = false }: Input<typeof DecideMany>): Chosen {
  if ((fingerprints === undefined) === (filter === undefined))
    throw invalidParameter("filter", "or fingerprints is required, and not both");
  return { fingerprints, filter: presentFilter(filter ?? {}), keepsIgnored: keeps_ignored };
}

function noDecision(): AppError {
  return new AppError("not_found", "the decision doesn't exist");
}
