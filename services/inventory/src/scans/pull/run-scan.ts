import { cloudOf } from "@leeway/clouds/clouds";
import { abortable } from "@leeway/shared/platform/context";
import type { Scan, ScanError } from "@leeway/shared/contracts/inventory/scans";
import type { OrgStatements, Transaction } from "@leeway/shared/database/database";
import { AppError, type ErrorCode } from "@leeway/shared/values/errors";
import type { Platform } from "@leeway/shared/service/service";
import { counter } from "@leeway/shared/platform/telemetry/metrics";
import { ConnectorError } from "@leeway/connectors/connector";
import { shardOrder } from "@leeway/connectors/shard-order";

import { openAccount, type ConnectorDependencies } from "../../accounts/open-account.ts";
import { openSnapshot } from "../../drift/store/snapshots.ts";
import { lockPrepared } from "../../matching/lock-prepared.ts";
import { matchingBasis } from "../../matching/store/basis.ts";
import { createMerge } from "../merge-live-side.ts";
import { accountCounts, listedAs, lockListing } from "../store/account.ts";
import {
  ALL_HIDDEN,
  createLiveSide,
  dropDuplicates,
  isAnythingLive,
  joinShards,
  keepOverlooked,
  keepUntold,
  liveTypes,
} from "../store/live-side.ts";
import { endMatch, failScan, holdScan } from "../store/work.ts";
import { mayReplace, takeOver } from "../take-over.ts";
import { holdLease, LostScan, type Lease } from "./lease.ts";
import { listShard, type Listing } from "./list-shard.ts";
import { readProperties } from "./read-properties.ts";
import { outcomesOf, type Outcomes } from "./shard-outcomes.ts";
import { announceScans } from "../../announce-scans.ts";
import { claimScan, enterMatch, releaseScan, type Claim } from "./store/claims.ts";
import { copyPages } from "./store/pages.ts";
import { planShards, shardsOf } from "./store/shards.ts";

export type PullDependencies = Platform & ConnectorDependencies;

/** Shards that a process lists concurrently for one scan. */
const SHARDS_AT_ONCE = 8;
/** Claims of a scan in a row without any progress. */
const MAX_ATTEMPTS = 5;

/** Errors that another attempt wouldn't fix. */
const HOPELESS: ReadonlySet<ErrorCode> = new Set([
  "invalid_parameter",
  "no_credentials",
  "not_found",
  "registry_not_configured",
]);

const ended = counter("scans_total", "Cloud scans finished by this process", ["outcome"]);

/**
 * Lists an account's cloud and stores the result as the inventory, unless another process does or the scan is over.
 * Shards that were listed before are skipped. `stopping` releases the scan for another process.
 * @returns the scan, if its drift is left to be computed
 * @throws temporary errors; the scan then waits for the next attempt
 */
export async function runScan(
  deps: PullDependencies,
  { orgId, scanId }: { orgId: string; scanId: string },
  stopping: AbortSignal,
): Promise<Scan | undefined> {
  const sql = deps.database.org(orgId);
  const claim = await claimScan(sql, { scanId, worker: crypto.randomUUID() });
  if (!claim) return undefined;
  if (claim.attempts > MAX_ATTEMPTS) {
    const error = internal(`the scan was interrupted ${MAX_ATTEMPTS} times without making progress`);
    await fail(sql, claim, { errors: [error] });
    return undefined;
  }
  announceScans(deps.bus, orgId);
  const progress = { seen: 0, advanced: false };
  const lease = holdLease(sql, claim, () => progress);
  try {
    const work = { sql, claim, progress, lease, stopping };
    return await readAccount(deps, work, AbortSignal.any([lease.signal, stopping]));
  } catch (error) {
    if (error instanceof LostScan) return undefined;
    const hopeless = hopelessError(error);
    if (hopeless) await fail(sql, claim, { errors: [hopeless] });
    else await releaseScan(sql, claim, { cutShort: stopping.aborted });
    if (!hopeless && !stopping.aborted) throw error;
    return undefined;
  } finally {
    lease.release();
    announceScans(deps.bus, orgId);
  }
}

interface Work {
  sql: OrgStatements;
  claim: Claim;
  progress: { seen: number; advanced: boolean };
  lease: Lease;
  stopping: AbortSignal;
}

async function readAccount(
  deps: PullDependencies,
  work: Work,
  signal: AbortSignal,
): Promise<Scan | undefined> {
  const { sql, claim, progress } = work;
  if (claim.kind === "drift") return compareAgain(deps, work);
  const { account, connector } = await openAccount(deps, sql.orgId, claim.account_id);
  const onSeen = (more: number): void => {
    progress.seen += more;
  };
  const planned = await shardsOf(sql, claim);
  const listedAccount = await listedAs(sql, account);
  const listing: Listing = {
    sql,
    claim,
    account,
    listedAccount,
    connector,
    isResumed: planned.length > 0,
    onSeen,
  };
  if (planned.length === 0) await plan(listing, signal);
  await listAll(listing, progress, signal);
  const outcomes = outcomesOf(await shardsOf(sql, claim), cloudOf(account.provider), connector);
  if (outcomes.isBlind) {
    await fail(sql, claim, outcomes);
    return undefined;
  }
  await enterMatch(sql, claim);
  const scan = await abortable(work.lease.signal, () => conclude(deps, listing, outcomes)).catch(
    (error: unknown) => {
      work.lease.signal.throwIfAborted();
      throw error;
    },
  );
  work.lease.release(); // it can no longer be lost
  await readProperties(deps, listing, scan, work.stopping);
  ended.inc({ outcome: outcomes.errors.length === 0 ? "succeeded" : "partial" });
  return scan;
}

/** Requests drift of the stored inventory. No cloud is asked. */
function compareAgain({ database }: PullDependencies, { sql, claim }: Work): Promise<Scan | undefined> {
  const { scan_id: scanId, worker, account_id: accountId } = claim;
  return database.transaction(sql.orgId, async (tx) => {
    if (!(await holdScan(tx, { scanId, worker }))) throw new LostScan();
    const snapshotId = await openSnapshot(tx, { accountId, scanId });
    return endMatch(tx, scanId, {
      stats: await accountCounts(tx, accountId),
      errors: [],
      format: undefined,
      snapshotId,
    });
  });
}

async function plan({ sql, claim, account, connector }: Listing, signal: AbortSignal): Promise<void> {
  const regions = normalizedRegions(claim.regions.length > 0 ? claim.regions : account.regions);
  await planShards(sql, claim, shardOrder(await connector.shards(regions, signal)));
}

/** Normalizes the names of regions: people write `West Europe` for `westeurope`. */
function normalizedRegions(regions: readonly string[]): string[] {
  return [...new Set(regions.map((region) => region.replaceAll(" ", "").toLowerCase()))];
}

async function listAll(listing: Listing, progress: Work["progress"], signal: AbortSignal): Promise<void> {
  const shards = await shardsOf(listing.sql, listing.claim);
  for (const { status, seen } of shards) if (status !== "pending") progress.seen += seen;
  const pending = shards.filter(({ status }) => status === "pending").values();
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  const list = async (): Promise<void> => {
    for (const { number, service, region } of pending) {
      either.throwIfAborted();
      await listShard(listing, number, { service, ...(region !== null && { region }) }, either);
      progress.advanced = true;
    }
  };
  const lists = Array.from({ length: SHARDS_AT_ONCE }, () =>
    list().catch((error: unknown) => {
      failed.abort(error);
      throw error;
    }),
  );
  // All lists must have ended after a failure, because another process may have the scan by then.
  const outcomes = await Promise.allSettled(lists);
  for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
}

/** Stores the result in one transaction, like that of a push, so that no part of a scan is visible before its end. */
async function conclude(
  { database }: PullDependencies,
  { sql, claim, account }: Listing,
  { stats, errors, formats, blindSpots, hidden }: Outcomes,
): Promise<Scan> {
  const { scan_id: scanId, worker, kind } = claim;
  const isPart = claim.regions.length > 0;
  const regions = normalizedRegions(isPart ? claim.regions : account.regions);
  const { scan } = await database.transaction(
    sql.orgId,
    async (tx) => {
      await lockListing(tx, account.id);
      const merge = await lockPrepared(
        tx,
        () => matchingBasis(tx, account.id),
        async () => {
          await gatherPages(
            tx,
            { accountId: account.id, scanId },
            { isPart, hidden, isTroubled: errors.length > 0 },
          );
          const preparing = await createMerge(tx, account.id);
          await preparing.prepare();
          return { ...preparing, prepareAgain: preparing.prepare };
        },
      );
      if (!(await holdScan(tx, { scanId, worker }))) throw new LostScan();
      const types = await liveTypes(tx);
      const isEmpty = !(await isAnythingLive(tx));
      const mayStore = await mayReplace(tx, { accountId: account.id, scanId, allowEmpty: false, isEmpty });
      return takeOver(tx, {
        scan: { id: scanId, kind },
        account,
        stats,
        errors,
        formats,
        types,
        sight: { regions, isPart, blindSpots, scope: "all" },
        replaced: mayStore ? await merge.finish() : undefined,
      });
    },
    { lane: "bulk" },
  );
  return scan;
}

/**
 * Fills `live_side` with the resources in the shards' pages, and with stored resources that the shards couldn't show.
 */
async function gatherPages(
  tx: Transaction,
  { accountId, scanId }: { accountId: string; scanId: string },
  { isPart, hidden, isTroubled }: Pick<Outcomes, "hidden"> & { isPart: boolean; isTroubled: boolean },
): Promise<void> {
  await createLiveSide(tx);
  await copyPages(tx, scanId);
  await joinShards(tx);
  await dropDuplicates(tx);
  if (isPart || hidden.length > 0)
    await keepOverlooked(tx, accountId, { scanId, hidden: isPart ? ALL_HIDDEN : hidden });
  if (isTroubled) await keepUntold(tx, accountId, scanId);
}

async function fail(
  sql: OrgStatements,
  { scan_id: scanId, worker }: Claim,
  { errors, stats = {} }: Pick<Outcomes, "errors"> & Partial<Outcomes>,
): Promise<void> {
  const failed = await failScan(sql, { scanId, worker }, { errors, stats });
  if (failed) ended.inc({ outcome: "failed" });
}

/** Returns the error that fails the whole scan; undefined if the error is temporary. */
function hopelessError(error: unknown): ScanError | undefined {
  if (error instanceof ConnectorError) {
    const { code, message } = error.failure;
    return { code, message, count: 1 };
  }
  if (error instanceof AppError && HOPELESS.has(error.code)) return internal(error.message);
  return undefined;
}

function internal(message: string): ScanError {
  return { code: "internal", message, count: 1 };
}
