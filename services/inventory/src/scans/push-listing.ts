import type { Bodies } from "@leeway/shared/bus/bodies";
import { offer } from "@leeway/shared/bus/publish";
import type { Input } from "@leeway/shared/contracts/contract";
import type { CloudAccount } from "@leeway/shared/contracts/inventory/accounts";
import {
  DriftRequested,
  type PushListing,
  type Scan,
  type ScanError,
} from "@leeway/shared/contracts/inventory/scans";
import { abortable } from "@leeway/shared/platform/context";
import type { OrgStatements, Transaction } from "@leeway/shared/database/database";
import { AppError } from "@leeway/shared/values/errors";
import type { Platform } from "@leeway/shared/service/service";

import { findAccount } from "../accounts/accounts.ts";
import { audit } from "../audit.ts";
import { computeWithoutScan } from "../drift/compute-drift.ts";
import { refuseForeign } from "@leeway/clouds/listings/named-accounts";
import { lockPrepared } from "../matching/lock-prepared.ts";
import { matchingBasis } from "../matching/store/basis.ts";
import { openScan } from "./open-scan.ts";
import type { Incoming } from "./read-pieces.ts";
import { listedAs, lockListing } from "./store/account.ts";
import { dropScan, noteProgress } from "./store/pushed.ts";
import { getScan } from "./store/scans.ts";
import { FULL_SIGHT, NO_SIGHT } from "./store/sight.ts";
import { holdScan } from "./store/work.ts";
import { takeIn } from "./take-in.ts";
import { mayReplace, takeOver } from "./take-over.ts";

type PushRequest = Input<typeof PushListing>;

/** With the time until a server notices a closed connection, this adds up to one second. */
const PROGRESS_MS = 500;

/**
 * Stores a pushed listing as the account's inventory and matches it, in one transaction. Drift is computed after
 * that, by the first worker that gets the job.
 * @returns the scan, in its drift phase
 * @throws {AppError} if the listing can't be read or is of another account; nothing has changed then
 */
export async function pushListing(
  platform: Platform & { bodies: Bodies },
  request: PushRequest,
): Promise<Scan> {
  const { database, bodies } = platform;
  const { org_id, account_id, body } = request;
  const sql = database.org(org_id);
  const open = () => bodies.open(body.ref);
  try {
    const account = await findAccount(database, org_id, account_id);
    const scanId = await openScan(sql, {
      accountId: account_id,
      kind: "full",
      trigger: "push",
      requestedBy: request.requested_by,
    });
    const { scan, others } = await withProgress(sql, scanId, (onProgress) => {
      const { allow_empty: allowEmpty, allow_foreign: allowForeign = false } = request;
      const listing = { account, scanId, open, allowEmpty, allowForeign, onProgress };
      return database.transaction(org_id, (tx) => takeListing(tx, listing), { lane: "bulk" });
    }).catch(async (error: unknown) => {
      await dropScan(sql, scanId);
      throw error;
    });
    await offer(platform, DriftRequested, { org_id, scan_id: scan.id }, scan.id);
    await computeWithoutScan(platform, org_id, others);
    return scan;
  } finally {
    await bodies.delete(body.ref);
  }
}

/** A pushed listing and its options. */
interface Listing {
  account: CloudAccount;
  scanId: string;
  open(): Promise<Incoming["body"]>;
  allowEmpty: boolean;
  /** Whether rows of other accounts are left out, whatever their number. */
  allowForeign: boolean;
  onProgress(seen: number): void;
}

async function takeListing(
  tx: Transaction,
  { account, scanId, open, allowEmpty, allowForeign, onProgress }: Listing,
): ReturnType<typeof takeOver> {
  await lockListing(tx, account.id);
  const listing = await lockPrepared(
    tx,
    () => matchingBasis(tx, account.id),
    async () => {
      const taken = await takeIn(tx, { account, scanId, open }, onProgress);
      refuseForeign(taken, await listedAs(tx, account), allowForeign);
      return taken;
    },
  );
  const { seen, accounts, formats, goesOn, types, scope } = listing;
  if (!(await holdScan(tx, { scanId }))) throw await overtaken(tx, scanId);
  await audit(tx, { action: "cloud_account.push", targetId: account.id, details: { scan_id: scanId } });
  const isEmpty = seen === 0 && goesOn === undefined;
  const mayStore = await mayReplace(tx, { accountId: account.id, scanId, allowEmpty, isEmpty });
  return takeOver(tx, {
    scan: { id: scanId, kind: "full" },
    account,
    stats: { seen, ...(accounts.foreign > 0 && { foreign: accounts.foreign }) },
    errors: goesOn === undefined ? [] : [incomplete(goesOn)],
    formats,
    types,
    sight: { ...(goesOn === undefined ? FULL_SIGHT : NO_SIGHT), scope },
    replaced: mayStore ? await listing.replace() : undefined,
  });
}

/** Returns why the scan can no longer store its listing. */
async function overtaken(sql: OrgStatements, scanId: string): Promise<AppError> {
  const scan = await getScan(sql, scanId);
  if (!scan) return new AppError("conflict", "the account was deleted during the push");
  return new AppError(
    "conflict",
    `the scan ${scan.status === "canceled" ? "was canceled" : "failed"} during the push`,
  );
}

function incomplete(goesOn: string): ScanError {
  return {
    code: "incomplete_listing",
    message: `the last page has a \`${goesOn}\`, so the listing is incomplete: resources missing from it were kept. Push all pages in one body`,
    count: 1,
  };
}

/**
 * Stores the progress of the work every now and then, which also shows that it is alive. Aborts the work if the scan
 * is canceled, given up, or deleted with its account.
 */
async function withProgress<T>(
  sql: OrgStatements,
  scanId: string,
  work: (onProgress: (seen: number) => void) => Promise<T>,
): Promise<T> {
  let seen = 0;
  const ended = new AbortController();
  const progressTimer = setInterval(() => {
    // After a failure, the next call stores the newer progress.
    noteProgress(sql, scanId, seen).then(
      (isWanted) => isWanted || ended.abort(),
      () => undefined,
    );
  }, PROGRESS_MS);
  try {
    return await abortable(ended.signal, () =>
      work((count) => {
        seen = count;
      }),
    );
  } catch (error) {
    throw ended.signal.aborted ? await overtaken(sql, scanId) : error;
  } finally {
    clearInterval(progressTimer);
  }
}
