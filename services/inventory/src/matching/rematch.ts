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
import { verdictOf } from "./verdict-lines.ts";

/**
 * Matches accounts anew, without a scan, and has their drift computed after that. The caller holds
 * `lockMatching` since before it asked which accounts these are: a first listing may come in meanwhile.
 */
export async function rematch(tx: Transaction, accountIds: readonly string[]): Promise<void> {
  const touched = await matchAnew(tx, accountIds);
  await recount(tx, touched);
  await awaitDrift(tx, touched);
}

/**
 * Matches what is live in accounts, as it is, with what is declared; then in those in which that changes whose a
 * declaration is, which changes nothing of who has it.
 * @returns all of them
 */
export async function matchAnew(tx: Transaction, accountIds: readonly string[]): Promise<string[]> {
  const waiting = [...accountIds];
  const disabled = waiting.length > 0 ? await disabledRules(tx) : [];
  for (const accountId of waiting) {
    const matcher = createMatcher(readDeclared(await declaredTexts(tx, accountId)));
    await takeLiveSide(tx, accountId);
    await eachLive(tx, matcher.see);
    const { lines, ambiguous } = verdictOf(matcher);
    await storeVerdict(tx, lines);
    await applyVerdict(tx, disabled);
    waiting.push(...(await recordMatches(tx, accountId, ambiguous)));
  }
  return [...new Set(waiting)];
}

/** Has the drift computed of accounts whose counts have changed without a scan of theirs. */
export async function awaitDrift(tx: Transaction, accountIds: readonly string[]): Promise<void> {
  for (const accountId of accountIds) await openSnapshot(tx, { accountId, scanId: undefined });
}
