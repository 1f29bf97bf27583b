import type { Transaction } from "@leeway/shared/database/database";
import type { ListingEnd } from "@leeway/clouds/reading/listing-reading";

import { disabledRules } from "../matching/store/exclusions.ts";
import { matchLiveSide } from "../matching/rematch.ts";
import { takeLiveSide, takeOwned } from "../matching/store/live.ts";
import { applyVerdict, compareMatches, recordMatches } from "../matching/store/matches.ts";
import { storeVerdict } from "../matching/store/verdict.ts";

/** Correction of the early matches of an account's first listing. */
export interface Settling {
  /**
   * Finds the corrections from the end of the listing; without it, from the current declarations. Applies those of live
   * resources, which no other transaction sees yet.
   */
  prepare(end?: Pick<ListingEnd, "verdict" | "hasOwned">): Promise<void>;
  /**
   * Applies the corrections of matches. The caller has held `lockMatching` since `prepare`.
   * @returns the accounts to match again
   */
  finish(): Promise<string[]>;
}

/** @param rules the exclusion rules that were disabled when the lines were inserted */
export function createSettling(tx: Transaction, accountId: string, rules: string[]): Settling {
  let disabled = rules;
  let ambiguous: readonly string[] = [];
  let changes = 0;
  return {
    async prepare(end) {
      if (end) ({ ambiguous } = end.verdict);
      else disabled = await disabledRules(tx);
      if (!end || end.verdict.lines) {
        await takeLiveSide(tx, accountId);
        if (end) await storeVerdict(tx, end.verdict.lines);
        else ({ ambiguous } = await matchLiveSide(tx, accountId));
        await applyVerdict(tx, disabled);
        changes = await compareMatches(tx, accountId);
      } else if (end.hasOwned) {
        await takeOwned(tx, accountId);
        await storeVerdict(tx, undefined);
        await applyVerdict(tx, disabled);
      }
    },
    finish: () => recordMatches(tx, accountId, { changes, ambiguous }),
  };
}
