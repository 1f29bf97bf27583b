import type { Transaction } from "@leeway/shared/database/database";
import type { Platform } from "@leeway/shared/service";

import { computeWithoutScan } from "../drift/compute-drift.ts";
import { lockMatching } from "./store/matches.ts";

/**
 * Runs `work`, which may change what is matched with what, in one transaction that holds `lockMatching`; then computes
 * the drift that waits for it.
 */
export async function changeMatching(
  platform: Platform,
  orgId: string,
  work: (tx: Transaction) => Promise<void>,
): Promise<void> {
  const locked = async (tx: Transaction): Promise<void> => {
    await lockMatching(tx);
    await work(tx);
  };
  await platform.database.transaction(orgId, locked, { lane: "bulk" });
  await computeWithoutScan(platform, orgId);
}
