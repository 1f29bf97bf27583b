import type { Transaction } from "@leeway/shared/database/database";
import type { Platform } from "@leeway/shared/service/service";

import { computeWithoutScan } from "../drift/compute-drift.ts";
import { lockMatching } from "./store/matches.ts";

/** Runs `work`, which may change matches, in one transaction that holds `lockMatching`. Then computes pending drift. */
export async function changeMatching(
  platform: Platform,
  orgId: string,
  work: (tx: Transaction) => Promise<void>,
): Promise<void> {
  await changePrepared(platform, orgId, async (tx) => {
    await lockMatching(tx);
    await work(tx);
    return undefined;
  });
}

/**
 * Does the same for `work` that takes `lockMatching` itself, after its preparation.
 * @param work may return the accounts that it matched, to compute the drift of no others
 */
export async function changePrepared(
  platform: Platform,
  orgId: string,
  work: (tx: Transaction) => Promise<readonly string[] | undefined>,
): Promise<void> {
  const matched = await platform.database.transaction(orgId, work, { lane: "bulk" });
  await computeWithoutScan(platform, orgId, matched);
}
