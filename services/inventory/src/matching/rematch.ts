import type { Transaction } from "@leeway/shared/database/database";

import { openSnapshot } from "../drift/store/snapshots.ts";
import { disabledRules } from "../exclusions/store.ts";
import { readDeclared } from "./declared-texts.ts";
import { createMatcher } from "./matcher.ts";
import { declaredTexts } from "./store/declared.ts";
import { eachLive, takeLiveSide } from "./store/live.ts";
import { applyVerdict, recordMatches } from "./store/matches.ts";
import { recount } from "./store/recount.ts";
import { storeVerdict } from "./store/verdict.ts";
import { verdictLines } from "./verdict-lines.ts";

/**
 * Matches accounts anew, without a scan, and has their drift computed after that. The caller holds
 * `lockMatching` since before it asked which accounts these are: a first listing may come in meanwhile.
 */
export async function rematch(tx: Transaction, accountIds: readonly string[]): Promise<void> {
  const disabled = await disabledRules(tx);
  const touched = new Set(accountIds);
  for (const accountId of accountIds) {
    for (const id of await matchAnew(tx, accountId, disabled)) touched.add(id);
  }
  await recount(tx, [...touched]);
  await awaitDrift(tx, [...touched]);
}

/**
 * Matches what is live in an account, as it is, with what is declared. `disabled` are the exclusion rules that are
 * switched off.
 * @returns other accounts in which a match has changed
 */
export async function matchAnew(tx: Transaction, accountId: string, disabled: string[]): Promise<string[]> {
  const matcher = createMatcher(readDeclared(await declaredTexts(tx, accountId)));
  await takeLiveSide(tx, accountId);
  await eachLive(tx, matcher.see);
  await storeVerdict(tx, verdictLines(matcher.pairs()));
  await applyVerdict(tx, disabled);
  return recordMatches(tx, accountId);
}

/** Has the drift computed of accounts whose counts have changed without a scan of theirs. */
export async function awaitDrift(tx: Transaction, accountIds: readonly string[]): Promise<void> {
  for (const accountId of accountIds) await openSnapshot(tx, { accountId, scanId: undefined });
}
