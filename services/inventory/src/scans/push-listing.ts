import type { Bodies } from "@leeway/shared/bus/bodies";
import { publish } from "@leeway/shared/bus/publish";
import type { Input } from "@leeway/shared/contract";
import type { CloudAccount } from "@leeway/shared/contracts/inventory/accounts";
import {
  DriftRequested,
  type PushListing,
  type Scan,
  type ScanError,
  type ScanStats,
} from "@leeway/shared/contracts/inventory/scans";
import type { OrgStatements, Transaction } from "@leeway/shared/database/database";
import { AppError } from "@leeway/shared/errors";
import { inflated } from "@leeway/shared/inflated";
import type { Platform } from "@leeway/shared/service";

import { findAccount } from "../accounts/accounts.ts";
import { cloudOf } from "../clouds/clouds.ts";
import { computeWithoutScan } from "../drift/compute-drift.ts";
import { openSnapshot } from "../drift/store/snapshots.ts";
import { disabledRules } from "../exclusions/store.ts";
import { createMatcher, type Pair } from "../matching/matcher.ts";
import { awaitDrift } from "../matching/rematch.ts";
import { declaredIn } from "../matching/store/declared.ts";
import { eachLive } from "../matching/store/live.ts";
import { lockMatching, recordMatches } from "../matching/store/matches.ts";
import { recount } from "../matching/store/recount.ts";
import { storeVerdict } from "../matching/store/verdict.ts";
import { copyListing, type ListingSummary } from "./copy-listing.ts";
import { accountCounts, hasLiveResources, noteSweep } from "./store/account.ts";
import { dropDuplicates, mergeIncoming, recognizeKnown } from "./store/incoming.ts";
import { dropScan, noteProgress, openPushScan } from "./store/pushed.ts";
import { openScanOf, wasEmptyBefore } from "./store/scans.ts";
import { enterDrift, holdScan } from "./store/work.ts";

type PushRequest = Input<typeof PushListing>;

/** A listing as sent, and as inflated. */
const MOST_BYTES = 256 << 20;
const PROGRESS_MS = 1_000;

const EMPTY_LISTING: ScanError = {
  code: "empty_listing",
  message: "the listing names nothing and the account had resources: nothing was removed",
  count: 1,
};

/**
 * Makes a pushed listing the account's inventory and matches it, in one transaction; drift is computed
 * after that, by whoever hears of it first.
 * @returns the scan, in its drift phase
 * @throws {AppError} for a listing that can't be read, or is of another account: then nothing has changed
 */
export async function pushListing(
  platform: Platform & { bodies: Bodies },
  request: PushRequest,
): Promise<Scan> {
  const { database, bus, bodies, log } = platform;
  const { org_id, account_id, body } = request;
  const sql = database.org(org_id);
  try {
    const account = await findAccount(database, org_id, account_id);
    const scanId = await openScan(sql, request);
    const stream = inflated(await bodies.open(body.ref), MOST_BYTES);
    const scan = await withProgress(sql, scanId, (onProgress) =>
      database.transaction(
        org_id,
        async (tx) => {
          await lockMatching(tx);
          const listing = await matchListing(tx, account, stream, onProgress);
          return takeOver(tx, { scanId, account, listing, allowEmpty: request.allow_empty });
        },
        { lane: "bulk" },
      ),
    ).catch(async (error: unknown) => {
      await dropScan(sql, scanId);
      throw error;
    });
    await publish(bus, DriftRequested, { org_id, scan_id: scan.id }, scan.id).catch((error: unknown) => {
      log.warn({ error }, "the bus didn't take a drift job; the sweeper will hand it over again");
    });
    await computeWithoutScan(platform, org_id);
    return scan;
  } finally {
    await bodies.delete(body.ref);
  }
}

async function openScan(sql: OrgStatements, { account_id, requested_by }: PushRequest): Promise<string> {
  const opened = await openPushScan(sql, { accountId: account_id, requestedBy: requested_by });
  if (opened !== undefined) return opened;
  const open = await openScanOf(sql, account_id);
  throw new AppError("scan_in_progress", "another scan of this account is under way", {
    ...(open !== undefined && { fields: { scan_id: open } }),
  });
}

/** Tells now and then how far the work is, which also tells that somebody works. */
async function withProgress<T>(
  sql: OrgStatements,
  scanId: string,
  work: (onProgress: (seen: number) => void) => Promise<T>,
): Promise<T> {
  let seen = 0;
  const telling = setInterval(() => {
    noteProgress(sql, scanId, seen).catch(() => undefined); // the next one will tell more
  }, PROGRESS_MS);
  try {
    return await work((count) => {
      seen = count;
    });
  } finally {
    clearInterval(telling);
  }
}

interface MatchedListing extends ListingSummary {
  pairs: Pair[];
}

/** Reads the listing into `live_side`, and finds what of it is declared while it is read. */
async function matchListing(
  tx: Transaction,
  account: CloudAccount,
  body: AsyncIterable<Uint8Array>,
  onProgress: (seen: number) => void,
): Promise<MatchedListing> {
  const cloud = cloudOf(account.provider).provider;
  const declared = await declaredIn(tx, { id: account.id, cloud, external_id: account.external_id });
  const matcher = createMatcher(declared);
  const listing = await copyListing(tx, account, body, { see: matcher.see, onProgress });
  if (!listing.repeats) return { ...listing, pairs: matcher.pairs() };
  await dropDuplicates(tx);
  const again = createMatcher(declared);
  await eachLive(tx, again.see);
  return { ...listing, pairs: again.pairs() };
}

interface TakeOver {
  scanId: string;
  account: CloudAccount;
  listing: MatchedListing;
  allowEmpty: boolean;
}

async function takeOver(tx: Transaction, { scanId, account, listing, allowEmpty }: TakeOver): Promise<Scan> {
  if (!(await holdScan(tx, scanId))) throw new AppError("conflict", "the scan was canceled");
  const read = { seen: listing.seen, ...(listing.foreign > 0 && { foreign: listing.foreign }) };
  const outcome =
    listing.seen > 0 || allowEmpty || (await mayEmpty(tx, account.id, scanId))
      ? { stats: { ...read, ...(await replaceInventory(tx, account, listing)) }, errors: [] }
      : { stats: read, errors: [EMPTY_LISTING] };
  const scan = await enterDrift(tx, scanId, {
    ...outcome,
    format: listing.formats.map(({ name }) => name).join(", ") || undefined,
    snapshotId: await openSnapshot(tx, { accountId: account.id, scanId }),
  });
  if (!scan) throw new AppError("conflict", "the account was deleted");
  return scan;
}

/** To empty an account takes a second listing that says the same, or a caller who means it. */
async function mayEmpty(tx: Transaction, accountId: string, scanId: string): Promise<boolean> {
  return !(await hasLiveResources(tx, accountId)) || (await wasEmptyBefore(tx, accountId, scanId));
}

async function replaceInventory(
  tx: Transaction,
  { id }: CloudAccount,
  { formats, pairs }: MatchedListing,
): Promise<ScanStats> {
  await storeVerdict(tx, pairs);
  await recognizeKnown(tx, id);
  const { created, gone } = await mergeIncoming(tx, id, await disabledRules(tx));
  const others = (await recordMatches(tx, id)).filter((other) => other !== id);
  await noteSweep(tx, id, formats.length > 0 && formats.every(({ taggedOnly }) => taggedOnly));
  await recount(tx, [id, ...others]);
  await awaitDrift(tx, others);
  return { created, gone, ...(await accountCounts(tx, id)) };
}
