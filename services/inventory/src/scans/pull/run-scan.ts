import type { Scan, ScanError } from "@leeway/shared/contracts/inventory/scans";
import type { OrgStatements } from "@leeway/shared/database/database";
import { AppError, type ErrorCode } from "@leeway/shared/errors";
import { counter } from "@leeway/shared/telemetry/metrics";
import type { Platform } from "@leeway/shared/service";

import { cloudOf } from "../../clouds/clouds.ts";
import { ConnectorError } from "../../connectors/connector.ts";
import { openAccount, type ConnectorDependencies } from "../../connectors/open-account.ts";
import { openSnapshot } from "../../drift/store/snapshots.ts";
import { disabledRules } from "../../exclusions/store.ts";
import { lockMatching } from "../../matching/store/matches.ts";
import { mergeLiveSide, verdictOnLiveSide } from "../merge-live-side.ts";
import { accountCounts, listedAs } from "../store/account.ts";
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
import { takeOver } from "../take-over.ts";
import { holdLease, LostScan, type Lease } from "./lease.ts";
import { listShard, type Listing } from "./list-shard.ts";
import { readProperties } from "./read-properties.ts";
import { shardOrder } from "./shard-order.ts";
import { outcomesOf, type Outcomes } from "./shard-outcomes.ts";
import { claimScan, enterMatch, releaseScan, type Claim } from "./store/claims.ts";
import { copyPages } from "./store/pages.ts";
import { planShards, shardsOf } from "./store/shards.ts";

export type PullDependencies = Platform & ConnectorDependencies;

/** What a process asks a cloud for at once, for one scan. */
const SHARDS_AT_ONCE = 8;
/** Takes of a scan in a row without any progress. */
const MOST_ATTEMPTS = 5;

/** Nothing that another attempt would mend. */
const HOPELESS: ReadonlySet<ErrorCode> = new Set([
  "invalid_parameter",
  "no_credentials",
  "not_found",
  "registry_not_configured",
]);

const ended = counter("scans_total", "Scans of clouds that this process ended", ["outcome"]);

/**
 * Reads an account's cloud, and makes what it shows the inventory, unless another process does or the scan is over.
 * Shards that were listed before aren't listed again. `stopping` lets it go, to be taken up by another.
 * @returns the scan, when drift is left to be computed
 * @throws what may pass; the scan waits for the next attempt
 */
export async function runScan(
  deps: PullDependencies,
  { orgId, scanId }: { orgId: string; scanId: string },
  stopping: AbortSignal,
): Promise<Scan | undefined> {
  const sql = deps.database.org(orgId);
  const claim = await claimScan(sql, { scanId, worker: crypto.randomUUID() });
  if (!claim) return undefined;
  if (claim.attempts > MOST_ATTEMPTS) {
    const error = internal(`the scan was cut off ${MOST_ATTEMPTS} times without getting any further`);
    await fail(sql, claim, { errors: [error] });
    return undefined;
  }
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
  const scan = await conclude(deps, listing, outcomes);
  work.lease.release(); // nobody can lose it any more
  await readProperties(deps, listing, scan, work.stopping);
  ended.inc({ outcome: outcomes.errors.length === 0 ? "succeeded" : "partial" });
  return scan;
}

/** No cloud is asked: the inventory is what it is. */
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
  const regions = wishedRegions(claim.regions.length > 0 ? claim.regions : account.regions);
  await planShards(sql, claim, shardOrder(await connector.shards(regions, signal)));
}

/** Regions as every cloud writes them: people say `West Europe` for `westeurope`. */
function wishedRegions(regions: readonly string[]): string[] {
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
  // Nothing of it goes on once one has failed: another process may have the scan by then.
  const outcomes = await Promise.allSettled(lists);
  for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
}

/** One transaction, that of a push: until then nobody sees anything of the scan. */
async function conclude(
  { database }: PullDependencies,
  { sql, claim, account }: Listing,
  { stats, errors, formats, blindSpots, hidden }: Outcomes,
): Promise<Scan> {
  const { scan_id: scanId, worker, kind } = claim;
  const isPart = claim.regions.length > 0;
  const regions = wishedRegions(isPart ? claim.regions : account.regions);
  return database.transaction(
    sql.orgId,
    async (tx) => {
      await lockMatching(tx);
      if (!(await holdScan(tx, { scanId, worker }))) throw new LostScan();
      await createLiveSide(tx);
      await copyPages(tx, scanId);
      await joinShards(tx);
      await dropDuplicates(tx);
      if (isPart || hidden.length > 0)
        await keepOverlooked(tx, account.id, { scanId, hidden: isPart ? ALL_HIDDEN : hidden });
      if (errors.length > 0) await keepUntold(tx, account.id, scanId);
      const verdict = await verdictOnLiveSide(tx, account.id);
      const disabled = await disabledRules(tx);
      return takeOver(tx, {
        scan: { id: scanId, kind },
        account,
        stats,
        errors,
        formats,
        types: await liveTypes(tx),
        sight: { regions, isPart, blindSpots, scope: "all" },
        allowEmpty: false,
        isEmpty: !(await isAnythingLive(tx)),
        replace: () => mergeLiveSide(tx, account.id, { verdict, disabled }),
      });
    },
    { lane: "bulk" },
  );
}

async function fail(
  sql: OrgStatements,
  { scan_id: scanId, worker }: Claim,
  { errors, stats = {} }: Pick<Outcomes, "errors"> & Partial<Outcomes>,
): Promise<void> {
  const failed = await failScan(sql, { scanId, worker }, { errors, stats });
  if (failed) ended.inc({ outcome: "failed" });
}

/** What fails the scan as a whole; undefined for what may pass. */
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
