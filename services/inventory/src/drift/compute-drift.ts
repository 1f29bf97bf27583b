import type { DriftOptions } from "@leeway/drift/drift-of";
import type { Transaction } from "@leeway/shared/database/database";
import { broadcast } from "@leeway/shared/bus/broadcast";
import { changeText, OrganizationChanged } from "@leeway/shared/contracts/gateway/changes";
import { AppError } from "@leeway/shared/values/errors";
import type { Platform } from "@leeway/shared/service/service";

import { holdMatching } from "../matching/store/matches.ts";
import { findChanges } from "./find-changes.ts";
import { findJudgement } from "./judgement.ts";
import { narrateInBackground } from "./narrate.ts";
import { newsOf, notifyOfNews } from "./news.ts";
import { ruleFoundChanges } from "./ruling/apply-rules.ts";
import { countAsNow, finishSnapshots, latestNumber, lockDrift, settleChanges } from "./store/settle.ts";
import { accountsWithoutScan, failSnapshots, noteWordless, pendingSnapshots } from "./store/snapshots.ts";
import { analyzeGrown } from "./store/upkeep.ts";

const FAILED = "couldn't compute drift";
const TOO_SLOW = `${FAILED}: comparing some resources exceeded the time limit for their size`;

/** If the account keeps changing, the last try locks matching before it reads. */
const MAX_TRIES = 3;

/**
 * Computes all pending snapshots of an account together, from its current state. A second call finds no pending ones.
 * @throws {AppError} if the database can't be reached, with nothing changed. Any other failure becomes the snapshots'
 * result and isn't retried.
 */
export async function computeDrift(platform: Platform, orgId: string, accountId: string): Promise<void> {
  const { database, bus, log } = platform;
  const sql = database.org(orgId);
  const awaited = await pendingSnapshots(sql, accountId);
  if (awaited.length === 0) return;
  await analyze(platform, orgId); // for what was just stored: a comparison reads it in many batches
  const options = await findJudgement(bus, orgId);
  try {
    const { newChanges } = await computeUndisturbed(platform, orgId, { accountId, options });
    broadcast(bus, OrganizationChanged, changeText({ orgId, topic: "drift", newChanges }));
  } catch (error) {
    const isTooSlow = error instanceof AppError && error.code === "too_slow_to_read";
    if (error instanceof AppError && !isTooSlow) throw error;
    log.error({ error, account_id: accountId }, "couldn't compute drift");
    await failSnapshots(sql, awaited, { code: "internal", message: isTooSlow ? TOO_SLOW : FAILED });
  }
  await analyze(platform, orgId); // for what the computation has stored
}

async function analyze({ database, log }: Platform, orgId: string): Promise<void> {
  await database.transaction(orgId, analyzeGrown, { lane: "background" }).catch((error: unknown) => {
    log.warn({ error }, "couldn't analyze grown tables; autovacuum will");
  });
}

/**
 * Computes an organization's snapshots that don't wait for a scan. The sweep retries failures.
 * @param among the only accounts to compute; the request that matched another computes its drift
 */
export async function computeWithoutScan(
  platform: Platform,
  orgId: string,
  among?: readonly string[],
): Promise<void> {
  if (among?.length === 0) return;
  try {
    for (const accountId of await accountsWithoutScan(platform.database.org(orgId))) {
      if (among && !among.includes(accountId)) continue;
      await computeDrift(platform, orgId, accountId);
      narrateInBackground(platform, orgId, accountId);
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    platform.log.warn({ error }, "couldn't compute drift; it will be computed later");
  }
}

/** Outcome of a computation: the number of changes that are new or have new values. */
interface Computed {
  newChanges: number;
}

const NOTHING_NEW: Computed = { newChanges: 0 };

interface Computation {
  accountId: string;
  options: DriftOptions;
}

/** Repeats the computation in a new transaction if the account was matched again while it was read. */
async function computeUndisturbed(
  { database }: Platform,
  orgId: string,
  computation: Computation,
): Promise<Computed> {
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    const compute = async (tx: Transaction): Promise<Computed | undefined> => {
      if (tries === MAX_TRIES) await holdMatching(tx);
      return computeIn(tx, computation);
    };
    const computed = await database.transaction(orgId, compute, { lane: "background" });
    if (computed) return computed;
  }
  return NOTHING_NEW;
}

/**
 * Reads the account without the matching lock. A concurrent match opens a later snapshot; without one, all reads saw the
 * same state.
 * @returns undefined, and leaves the snapshots pending, if the account was matched in the meantime
 */
async function computeIn(
  tx: Transaction,
  { accountId, options }: Computation,
): Promise<Computed | undefined> {
  await lockDrift(tx, accountId, "compute");
  const snapshotIds = await pendingSnapshots(tx, accountId);
  const latest = await latestNumber(tx, accountId);
  const [first] = snapshotIds;
  if (first === undefined || latest === undefined) return NOTHING_NEW;
  await findChanges(tx, accountId, options);
  await tx`analyze drift_found (fingerprint, content_hash)`;
  await ruleFoundChanges(tx, accountId);
  await countAsNow(tx, accountId, snapshotIds);
  if ((await pendingSnapshots(tx, accountId)).at(-1) !== snapshotIds.at(-1)) return undefined;
  await lockDrift(tx, accountId, "decide");
  const number = latest + 1;
  const news = await newsOf(tx, accountId);
  await settleChanges(tx, accountId, number);
  await finishSnapshots(tx, accountId, { snapshotIds, number });
  await notifyOfNews(tx, { accountId, snapshotId: first, number }, news);
  if (!news.detected) return NOTHING_NEW;
  await noteWordless(tx, first);
  const { changed, missing, undeclared } = news.detected;
  return { newChanges: changed + missing + undeclared };
}
