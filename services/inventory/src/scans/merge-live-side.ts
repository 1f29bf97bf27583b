import type { Transaction } from "@leeway/shared/database/database";
import type { Verdict } from "@leeway/clouds/matching/verdict-lines";

import { disabledRules } from "../matching/store/exclusions.ts";
import { matchLiveSide } from "../matching/rematch.ts";
import { dropStale, openEdition, removeSuperseded } from "../matching/store/editions.ts";
import { compareMatches, recordMatches } from "../matching/store/matches.ts";
import { storeVerdict } from "../matching/store/verdict.ts";
import {
  compareWithInventory,
  insertNew,
  keptEnrichment,
  markGone,
  matchRewritten,
  rewriteChanged,
} from "./store/incoming.ts";
import type { Replaced } from "./take-over.ts";

/** Merge of `live_side`, which has no duplicates, into the inventory of an account. */
export interface Merge {
  /**
   * Compares `live_side` with the inventory and writes new and changed resources as a new edition.
   * @param verdict which resources of `live_side` are declared; found here if absent
   */
  prepare(verdict?: Verdict): Promise<void>;
  /** Deletes the rows that are gone or replaced. The caller has held `lockMatching` since `prepare`. */
  finish(): Promise<Replaced>;
}

export async function createMerge(tx: Transaction, accountId: string): Promise<Merge> {
  const edition = await openEdition(tx);
  let isPrepared = false;
  let [created, rewritten, gone, changes] = [0, 0, 0, 0];
  let ambiguous: readonly string[] = [];
  return {
    async prepare(known) {
      if (isPrepared) await dropStale(tx, edition, { from: [accountId], to: [accountId] });
      const disabled = await disabledRules(tx);
      ({ ambiguous } = known ?? (await matchLiveSide(tx, accountId)));
      if (known) await storeVerdict(tx, known.lines);
      await compareWithInventory(tx, accountId, disabled);
      if (isPrepared) await matchRewritten(tx, accountId, { edition, disabled });
      rewritten += await rewriteChanged(tx, accountId, { edition, disabled });
      created += await insertNew(tx, accountId, disabled);
      gone = await markGone(tx, accountId);
      changes = await compareMatches(tx, accountId);
      isPrepared = true;
    },
    async finish() {
      if (rewritten + gone > 0)
        await removeSuperseded(tx, [accountId], { edition, kept: keptEnrichment(tx) });
      return { created, gone, unsettled: await recordMatches(tx, accountId, { changes, ambiguous }) };
    },
  };
}
