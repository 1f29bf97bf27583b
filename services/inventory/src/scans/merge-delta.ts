import type { Transaction } from "@leeway/shared/database/database";

import { matchLiveSide } from "../matching/rematch.ts";
import { openEdition, removeSuperseded } from "../matching/store/editions.ts";
import { disabledRules } from "../matching/store/exclusions.ts";
import { takeEdition } from "../matching/store/live.ts";
import { applyVerdict, compareMatches, recordMatches, rewriteVerdict } from "../matching/store/matches.ts";
import { compareDelta, markUnseen, undoDelta } from "./store/delta.ts";
import { insertNew, keptEnrichment, rewriteChanged } from "./store/incoming.ts";
import type { Replaced } from "./take-over.ts";

/** A merge of the rows that changed since the account's last listing. */
interface DeltaMerge {
  /** Stores them as a new edition. */
  prepare(): Promise<void>;
  /** Undoes that, and does it again with the current declarations. */
  prepareAgain(): Promise<void>;
  /** Deletes the rows that are gone or replaced. The caller has held `lockMatching` since it was prepared. */
  finish(): Promise<Replaced>;
}

/**
 * Creates a merge of `live_side`, which has no duplicates and only the rows that aren't known.
 * @param unseen resources that no known row has shown
 */
export async function createDeltaMerge(
  tx: Transaction,
  accountId: string,
  unseen: readonly string[],
): Promise<DeltaMerge> {
  const edition = await openEdition(tx);
  let [created, rewritten, gone] = [0, 0, 0];
  /** Matches to record; undefined if they stay as they are. */
  let matched: { changes: number; ambiguous: readonly string[] } | undefined;
  const prepare = async (): Promise<void> => {
    const disabled = await disabledRules(tx);
    const { mayMatchOtherwise } = await compareDelta(tx, accountId, unseen);
    rewritten = await rewriteChanged(tx, accountId, { edition, disabled });
    created = await insertNew(tx, accountId, disabled);
    gone = await markUnseen(tx, accountId, unseen);
    matched = undefined;
    if (!mayMatchOtherwise) return;
    await tx`alter table live_side rename to listed_side`;
    await takeEdition(tx, accountId);
    const { ambiguous } = await matchLiveSide(tx, accountId);
    await applyVerdict(tx, disabled, edition);
    rewritten += await rewriteVerdict(tx, accountId, { edition, disabled });
    matched = { ambiguous, changes: await compareMatches(tx, accountId) };
    await tx`drop table live_side`;
    await tx`alter table listed_side rename to live_side`;
  };
  return {
    prepare,
    async prepareAgain() {
      await undoDelta(tx, accountId, edition);
      await prepare();
    },
    async finish() {
      if (rewritten + gone > 0)
        await removeSuperseded(tx, [accountId], { edition, kept: keptEnrichment(tx) });
      const unsettled = matched ? await recordMatches(tx, accountId, matched) : [];
      return { created, gone, unsettled, ...(!matched && { sameMatches: true }) };
    },
  };
}
