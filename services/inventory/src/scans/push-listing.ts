import type { Bodies } from "@leeway/shared/bus/bodies";
import { publish } from "@leeway/shared/bus/publish";
import type { Input } from "@leeway/shared/contract";
import type { CloudAccount } from "@leeway/shared/contracts/inventory/accounts";
import {
  DriftRequested,
  type PushListing,
  type Scan,
  type ScanError,
} from "@leeway/shared/contracts/inventory/scans";
import type { OrgStatements, Transaction } from "@leeway/shared/database/database";
import { AppError } from "@leeway/shared/errors";
import type { Platform } from "@leeway/shared/service";

import { findAccount } from "../accounts/accounts.ts";
import { computeWithoutScan } from "../drift/compute-drift.ts";
import { lockMatching } from "../matching/store/matches.ts";
import { openScan } from "./open-scan.ts";
import type { Incoming } from "./read-pieces.ts";
import { dropScan, noteProgress } from "./store/pushed.ts";
import { getScan } from "./store/scans.ts";
import { FULL_SIGHT, NO_SIGHT } from "./store/sight.ts";
import { holdScan } from "./store/work.ts";
import { takeIn } from "./take-in.ts";
import { takeOver } from "./take-over.ts";

type PushRequest = Input<typeof PushListing>;

const PROGRESS_MS = 1_000;

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
    const chunks = await bodies.open(body.ref);
    const scanId = await openScan(sql, {
      accountId: account_id,
      kind: "full",
      trigger: "push",
      requestedBy: request.requested_by,
    });
    const incoming = { chunks, mostBytes: bodies.mostBytes(body.ref) };
    const scan = await withProgress(sql, scanId, (onProgress) => {
      const listing = { account, scanId, incoming, allowEmpty: request.allow_empty, onProgress };
      return database.transaction(org_id, (tx) => takeListing(tx, listing), { lane: "bulk" });
    }).catch(async (error: unknown) => {
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

/** A listing that is pushed, and what for. */
interface Listing {
  account: CloudAccount;
  scanId: string;
  incoming: Incoming;
  allowEmpty: boolean;
  onProgress(seen: number): void;
}

async function takeListing(
  tx: Transaction,
  { account, scanId, incoming, allowEmpty, onProgress }: Listing,
): Promise<Scan> {
  await lockMatching(tx);
  const listing = await takeIn(tx, { account, scanId, incoming }, onProgress);
  const { seen, foreign, formats, goesOn, types, scope, replace } = listing;
  if (!(await holdScan(tx, { scanId }))) throw await overtaken(tx, scanId);
  return takeOver(tx, {
    scan: { id: scanId, kind: "full" },
    account,
    stats: { seen, ...(foreign > 0 && { foreign }) },
    errors: goesOn === undefined ? [] : [incomplete(goesOn)],
    formats,
    types,
    sight: { ...(goesOn === undefined ? FULL_SIGHT : NO_SIGHT), scope },
    allowEmpty,
    isEmpty: seen === 0 && goesOn === undefined,
    replace,
  });
}

/** Why a scan isn't there any more to take its listing over. */
async function overtaken(tx: Transaction, scanId: string): Promise<AppError> {
  const scan = await getScan(tx, scanId);
  if (!scan) return new AppError("conflict", "the account was deleted");
  return new AppError("conflict", `the scan was ${scan.status === "canceled" ? "canceled" : "given up"}`);
}

function incomplete(goesOn: string): ScanError {
  return {
    code: "incomplete_listing",
    message: `the listing ends with a page whose \`${goesOn}\` tells of more: what it doesn't name was kept. Push all pages in one body`,
    count: 1,
  };
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
