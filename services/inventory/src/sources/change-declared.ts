import type { Transaction } from "@leeway/shared/database/database";

import { rematch } from "../matching/rematch.ts";
import { concernedAccounts } from "./store/state.ts";

/**
 * Changes what a source declares, or where, and matches every account anew that it concerned before or does
 * after. The caller holds `lockMatching`.
 */
export async function changeDeclared(
  tx: Transaction,
  sourceId: string,
  change: () => Promise<void>,
): Promise<void> {
  const before = await concernedAccounts(tx, sourceId);
  await change();
  const after = await concernedAccounts(tx, sourceId);
  await rematch(tx, [...new Set([...before, ...after])]);
}
