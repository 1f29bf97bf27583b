import { AppError } from "@leeway/shared/errors";
import { repeat } from "@leeway/shared/repeat";
import type { Platform } from "@leeway/shared/service";

import { computeDrift } from "./compute-drift.ts";
import { endIgnores } from "./decide-drift.ts";
import { narrateNew } from "./narrate.ts";
import { endedIgnores } from "./store/decisions.ts";
import { keepDrift, unfinishedDrift } from "./store/upkeep.ts";

const SWEEP_MS = 5_000;
const HOUSE_MS = 10 * 60 * 1000;
/** Longer than a computation takes. */
const UNFINISHED_SECONDS = 60;
const MOST_AT_ONCE = 20;
const KEPT_DAYS = 400;

/** Computes and has put into words what others have left undone, ends what was ignored for a time, and forgets what is over. */
export function startDriftUpkeep(platform: Platform): () => Promise<void> {
  const { log } = platform;
  const loops = [
    repeat({ name: "drift", everyMs: SWEEP_MS, log, work: () => sweepDrift(platform) }),
    repeat({
      name: "drift retention",
      everyMs: HOUSE_MS,
      log,
      work: () => keepDrift(platform.database.system, KEPT_DAYS),
    }),
  ];
  return async () => {
    await Promise.all(loops.map((loop) => loop.stop()));
  };
}

/** `olderThanSeconds` is how long nobody shall have worked on what is taken up. */
export async function sweepDrift(
  platform: Platform,
  olderThanSeconds: number = UNFINISHED_SECONDS,
): Promise<void> {
  const { database } = platform;
  for (const { org_id, account_id } of await endedIgnores(database.system, MOST_AT_ONCE)) {
    await inAccount(platform, account_id, () => endIgnores(database, org_id, account_id));
  }
  const left = await unfinishedDrift(database.system, { olderThanSeconds, atMost: MOST_AT_ONCE });
  for (const { org_id, account_id } of left) {
    await inAccount(platform, account_id, async () => {
      await computeDrift(platform, org_id, account_id);
      await narrateNew(platform, org_id, account_id);
    });
  }
}

/** What can't be done in one account, since it takes too long there, keeps nobody from the others. */
async function inAccount({ log }: Platform, accountId: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    log.warn({ error, account_id: accountId }, "drift is left to be looked at later");
  }
}
