import type { CloudAccount } from "@leeway/shared/contracts/inventory/accounts";
import type { Transaction } from "@leeway/shared/database/database";

import { cloudOf } from "../clouds/clouds.ts";
import { createMatcher, type Declared, type Pair } from "../matching/matcher.ts";
import { declaredIn } from "../matching/store/declared.ts";
import { eachLive } from "../matching/store/live.ts";

/** Everything declared that can be in an account. */
export function declaredFor(
  tx: Transaction,
  { id, provider, external_id }: CloudAccount,
): Promise<Declared[]> {
  return declaredIn(tx, { id, cloud: cloudOf(provider).provider, external_id });
}

/** Which of `declared` is what of `live_side`. */
export async function matchLiveSide(tx: Transaction, declared: readonly Declared[]): Promise<Pair[]> {
  const matcher = createMatcher(declared);
  await eachLive(tx, matcher.see);
  return matcher.pairs();
}
