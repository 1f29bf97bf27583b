import type { Transaction } from "@leeway/shared/database/database";
import { AppError } from "@leeway/shared/errors";
import type { Platform } from "@leeway/shared/service";

import { holdMatching } from "../matching/store/matches.ts";
import type { DriftOptions } from "./compare/drift-of.ts";
import { findChanges } from "./find-changes.ts";
import { findJudgement } from "./judgement.ts";
import { narrateAside } from "./narrate.ts";
import { newsOf, tellNews } from "./news.ts";
import { finishSnapshots, latestNumber, lockDrift, settleChanges } from "./store/settle.ts";
import { accountsWithoutScan, failSnapshots, noteWordless, pendingSnapshots } from "./store/snapshots.ts";
import { analyzeGrown } from "./store/upkeep.ts";

/**
 * Computes what the snapshots of an account wait for, all at once: each tells of the account as it is now. Whoever comes
 * second finds nothing left to do.
 * @throws {AppError} when the database is away: then nothing has changed. Any other failure is the snapshots' result.
 */
export async function computeDrift(platform: Platform, orgId: string, accountId: string): Promise<void> {
  const { database, bus, log } = platform;
  const sql = database.org(orgId);
  const awaited = await pendingSnapshots(sql, accountId);
  if (awaited.length === 0) return;
  const options = await findJudgement(bus, orgId);
  try {
    await database.transaction(orgId, (tx) => computeIn(tx, accountId, options), { lane: "bulk" });
  } catch (error) {
    if (error instanceof AppError) throw error;
    log.error({ error, account_id: accountId }, "drift couldn't be computed");
    await failSnapshots(sql, awaited, { code: "internal", message: "drift couldn't be computed" });
  }
  await database.transaction(orgId, analyzeGrown, { lane: "bulk" }).catch((error: unknown) => {
    log.warn({ error }, "tables that have grown are left to autovacuum");
  });
}

/** Computes what waits for no scan in an organization; what fails is taken up by the sweep. */
export async function computeWithoutScan(platform: Platform, orgId: string): Promise<void> {
  try {
    for (const accountId of await accountsWithoutScan(platform.database.org(orgId))) {
      await computeDrift(platform, orgId, accountId);
      narrateAside(platform, orgId, accountId);
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    platform.log.warn({ error }, "drift is left to be computed later");
  }
}

async function computeIn(tx: Transaction, accountId: string, options: DriftOptions): Promise<void> {
  await holdMatching(tx);
  await lockDrift(tx, accountId, "compute");
  const snapshotIds = await pendingSnapshots(tx, accountId);
  const latest = await latestNumber(tx, accountId);
  const [first] = snapshotIds;
  if (first === undefined || latest === undefined) return;
  await findChanges(tx, accountId, options);
  await lockDrift(tx, accountId, "decide");
  const number = latest + 1;
  const news = await newsOf(tx, accountId);
  await settleChanges(tx, accountId, number);
  await finishSnapshots(tx, accountId, { snapshotIds, number });
  await tellNews(tx, { accountId, snapshotId: first, number }, news);
  if (news.detected) await noteWordless(tx, first);
}
