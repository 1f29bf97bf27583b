import type { CloudAccount } from "@leeway/shared/contracts/inventory/accounts";
import type { Transaction } from "@leeway/shared/database/database";

import { cloudOf } from "../clouds/clouds.ts";
import { readDeclared } from "../matching/declared-texts.ts";
import { createMatcher } from "../matching/matcher.ts";
import { declaredTexts } from "../matching/store/declared.ts";
import { eachLive } from "../matching/store/live.ts";
import { recordMatches } from "../matching/store/matches.ts";
import { storeVerdict } from "../matching/store/verdict.ts";
import { verdictLines } from "../matching/verdict-lines.ts";
import { mergeIncoming, recognizeKnown } from "./store/incoming.ts";
import type { Replaced } from "./take-over.ts";

/**
 * Makes `live_side`, which names nothing twice, what is live in the account. `verdict` is what of it is declared, as
 * `verdictLines`, unless it says so itself; `disabled` are the exclusion rules that are switched off.
 */
export async function mergeLiveSide(
  tx: Transaction,
  account: CloudAccount,
  { verdict, disabled }: { verdict: readonly string[] | undefined; disabled: string[] },
): Promise<Replaced> {
  await storeVerdict(tx, verdict);
  await recognizeKnown(tx, account.id);
  const changes = await mergeIncoming(tx, account.id, disabled);
  return { ...changes, others: await recordMatches(tx, account.id) };
}

/** What of `live_side` is declared, as `verdictLines`. */
export async function verdictOnLiveSide(tx: Transaction, account: CloudAccount): Promise<string[]> {
  const matcher = createMatcher(readDeclared(await declaredTextsFor(tx, account)));
  await eachLive(tx, matcher.see);
  return verdictLines(matcher.pairs());
}

/** Everything declared that can be in an account, as `declaredTexts`. */
export function declaredTextsFor(
  tx: Transaction,
  { id, provider, external_id }: CloudAccount,
): Promise<string[]> {
  return declaredTexts(tx, { id, cloud: cloudOf(provider).provider, external_id });
}
