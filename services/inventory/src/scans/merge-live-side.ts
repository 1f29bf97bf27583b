import type { Transaction } from "@leeway/shared/database/database";

import { readDeclared } from "../matching/declared-texts.ts";
import { createMatcher } from "../matching/matcher.ts";
import { declaredTexts } from "../matching/store/declared.ts";
import { eachLive } from "../matching/store/live.ts";
import { recordMatches } from "../matching/store/matches.ts";
import { storeVerdict } from "../matching/store/verdict.ts";
import { verdictLines } from "../matching/verdict-lines.ts";
import { compareWithInventory, mergeIncoming } from "./store/incoming.ts";
import type { Replaced } from "./take-over.ts";

/**
 * Makes `live_side`, which names nothing twice, what is live in the account. `verdict` is what of it is declared, as
 * `verdictLines`, unless it says so itself; `disabled` are the exclusion rules that are switched off.
 */
export async function mergeLiveSide(
  tx: Transaction,
  accountId: string,
  { verdict, disabled }: { verdict: readonly string[] | undefined; disabled: string[] },
): Promise<Replaced> {
  await storeVerdict(tx, verdict);
  await compareWithInventory(tx, accountId, disabled);
  const changes = await mergeIncoming(tx, accountId, disabled);
  return { ...changes, unsettled: await recordMatches(tx, accountId) };
}

/** What of `live_side` is declared, as `verdictLines`. */
export async function verdictOnLiveSide(tx: Transaction, accountId: string): Promise<string[]> {
  const matcher = createMatcher(readDeclared(await declaredTexts(tx, accountId)));
  await eachLive(tx, matcher.see);
  return verdictLines(matcher.pairs());
}
