import type { Transaction } from "@leeway/shared/database/database";

import { openEdition, removeSuperseded } from "../matching/store/editions.ts";
import { disabledRules } from "../matching/store/exclusions.ts";
import { compareDelta, findAsBefore, undoDelta, type Delta } from "./store/delta.ts";
import { keptEnrichment, rewriteChanged } from "./store/incoming.ts";
import type { Replaced } from "./take-over.ts";

/** A merge of the rows that changed since the account's last listing, and match as before. */
interface DeltaMerge {
  /** Stores them as a new edition. */
  prepare(): Promise<void>;
  /** Undoes that, and does it again with the current matches. */
  prepareAgain(): Promise<void>;
  /** Deletes the rows that are replaced. The caller has held `lockMatching` since it was prepared. */
  finish(): Promise<Replaced>;
}

/**
 * Creates a merge of `live_side`, which has only changed rows of stored resources, each once. The caller has called
 * `compareDelta`.
 */
export async function createDeltaMerge(
  tx: Transaction,
  accountId: string,
  delta: Delta,
): Promise<DeltaMerge> {
  const edition = await openEdition(tx);
  let rewritten = 0;
  const prepare = async (): Promise<void> => {
    const disabled = await disabledRules(tx);
    await findAsBefore(tx);
    rewritten = await rewriteChanged(tx, accountId, { edition, disabled });
    await tx`analyze superseded (live_id)`;
  };
  return {
    prepare,
    async prepareAgain() {
      await undoDelta(tx, accountId, edition);
      await compareDelta(tx, accountId, delta);
      await prepare();
    },
    async finish() {
      if (rewritten > 0) await removeSuperseded(tx, [accountId], { edition, kept: keptEnrichment(tx) });
      return { created: 0, gone: 0, unsettled: [], sameMatches: true };
    },
  };
}
