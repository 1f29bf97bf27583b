import type { Transaction } from "@leeway/shared/database/database";

import { readDeclared } from "../matching/declared-texts.ts";
import { createMatcher } from "../matching/matcher.ts";
import { declaredTexts } from "../matching/store/declared.ts";
import { eachLive } from "../matching/store/live.ts";
import { recordMatches } from "../matching/store/matches.ts";
import { storeVerdict } from "../matching/store/verdict.ts";
import { verdictOf, type Verdict } from "../matching/verdict-lines.ts";
import { compareWithInventory, mergeIncoming } from "./store/incoming.ts";
import type { Replaced } from "./take-over.ts";

/**
 * Makes `live_side`, which names nothing twice, what is live in the account. `verdict` is what of it is declared, unless it
 * says so itself; `disabled` are the exclusion rules that are switched off.
 */
export async function mergeLiveSide(
  tx: Transaction,
  accountId: string,
  { verdict, disabled }: { verdict: Verdict; disabled: string[] },
): Promise<Replaced> {
  await storeVerdict(tx, verdict.lines);
  await compareWithInventory(tx, accountId, disabled);
  const changes = await mergeIncoming(tx, accountId, disabled);
  return { ...changes, unsettled: await recordMatches(tx, accountId, verdict.ambiguous) };
}

/** What of `live_side` is declared. */
export async function verdictOnLiveSide(tx: Transaction, accountId: string): Promise<Verdict> {
  const matcher = createMatcher(readDeclared(await declaredTexts(tx, accountId)));
  await eachLive(tx, matcher.see);
  return verdictOf(matcher);
}
