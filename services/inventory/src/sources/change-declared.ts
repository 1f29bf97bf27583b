import type { Transaction } from "@leeway/shared/database/database";

import { rematch } from "../matching/rematch.ts";
import { concernedAccounts } from "./store/state.ts";

/**
 * Changes the declarations of a source, or their account, and matches all accounts again that it concerns before or
 * after the change. The caller holds `lockMatching`.
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
