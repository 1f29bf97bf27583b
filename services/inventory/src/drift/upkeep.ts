import { AppError } from "@leeway/shared/values/errors";
import { repeat } from "@leeway/shared/platform/repeat";
import type { Platform } from "@leeway/shared/service/service";

import { computeDrift } from "./compute-drift.ts";
import { endIgnores } from "./decide-drift.ts";
import { narrateNew } from "./narrate.ts";
import { sweepRules } from "./ruling/apply-rules.ts";
import { endedIgnores } from "./store/decisions.ts";
import { unfinishedDrift } from "./store/upkeep.ts";

const SWEEP_MS = 5_000;
/** Longer than a computation takes. */
const UNFINISHED_SECONDS = 60;
const MAX_AT_ONCE = 20;

/**
 * Starts the loop that retries unfinished computations and narratives, applies changed rules, and reopens changes whose
 * ignore ends.
 */
export function startDriftUpkeep(platform: Platform): () => Promise<void> {
  const { log } = platform;
  return repeat({ name: "drift", everyMs: SWEEP_MS, log, work: () => sweepDrift(platform) }).stop;
}

/** Runs one sweep. It takes up work that has been idle for `olderThanSeconds`. */
export async function sweepDrift(
  platform: Platform,
  olderThanSeconds: number = UNFINISHED_SECONDS,
): Promise<void> {
  const { database } = platform;
  await sweepRules(platform);
  for (const { org_id, account_id } of await endedIgnores(database.system, MAX_AT_ONCE)) {
    await inAccount(platform, account_id, () => endIgnores(database, org_id, account_id));
  }
  const left = await unfinishedDrift(database.system, { olderThanSeconds, atMost: MAX_AT_ONCE });
  for (const { org_id, account_id } of left) {
    await inAccount(platform, account_id, async () => {
      await computeDrift(platform, org_id, account_id);
      await narrateNew(platform, org_id, account_id);
    });
  }
}

/** Logs an account's failure, so that the remaining accounts aren't blocked. */
async function inAccount({ log }: Platform, accountId: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    log.warn({ error, account_id: accountId }, "couldn't process due drift; retrying later");
  }
}
