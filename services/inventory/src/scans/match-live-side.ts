import type { CloudAccount } from "@leeway/shared/contracts/inventory/accounts";
import type { Transaction } from "@leeway/shared/database/database";

import { cloudOf } from "../clouds/clouds.ts";
import { readDeclared } from "../matching/declared-texts.ts";
import { createMatcher } from "../matching/matcher.ts";
import { declaredTexts } from "../matching/store/declared.ts";
import { eachLive } from "../matching/store/live.ts";
import { verdictLines } from "../matching/verdict-lines.ts";

/** Everything declared that can be in an account, as `declaredTexts`. */
export function declaredTextsFor(
  tx: Transaction,
  { id, provider, external_id }: CloudAccount,
): Promise<string[]> {
  return declaredTexts(tx, { id, cloud: cloudOf(provider).provider, external_id });
}

/** What of `live_side` is declared, as `verdictLines`. */
export async function verdictOnLiveSide(tx: Transaction, account: CloudAccount): Promise<string[]> {
  const matcher = createMatcher(readDeclared(await declaredTextsFor(tx, account)));
  await eachLive(tx, matcher.see);
  return verdictLines(matcher.pairs());
}
