import type { CloudAccount } from "@leeway/shared/contracts/inventory/accounts";
import type { Scan, ScanError, ScanStats } from "@leeway/shared/contracts/inventory/scans";
import type { Transaction } from "@leeway/shared/database/database";
import { AppError } from "@leeway/shared/errors";

import type { ListingFormat } from "../clouds/cloud.ts";
import { openSnapshot } from "../drift/store/snapshots.ts";
import { disabledRules } from "../exclusions/store.ts";
import { awaitDrift } from "../matching/rematch.ts";
import { recordMatches } from "../matching/store/matches.ts";
import { recount } from "../matching/store/recount.ts";
import { storeVerdict } from "../matching/store/verdict.ts";
import { accountCounts, hasLiveResources } from "./store/account.ts";
import { mergeIncoming, recognizeKnown } from "./store/incoming.ts";
import { isAnythingLive } from "./store/live-side.ts";
import { wasEmptyBefore } from "./store/scans.ts";
import { noteSight, type Sight } from "./store/sight.ts";
import { endMatch } from "./store/work.ts";

const EMPTY_LISTING: ScanError = {
  code: "empty_listing",
  message: "the listing names nothing and the account had resources: nothing was removed",
  count: 1,
};

/** A listing that is in `live_side`, without duplicates. */
interface Listing {
  scan: { id: string; kind: Scan["kind"] };
  account: CloudAccount;
  /** What was read, and what went wrong with it. */
  stats: ScanStats;
  errors: readonly ScanError[];
  formats: readonly Pick<ListingFormat, "name" | "taggedOnly">[];
  /** What of it is declared, as `verdictLines`. */
  verdict: readonly string[];
  /** What it could show. */
  sight: Sight;
  /** Whether it may empty the account by itself. */
  allowEmpty: boolean;
}

/**
 * Makes a listing the account's inventory, and its drift the next thing to be computed. The caller holds the scan and
 * `lockMatching`.
 * @throws {AppError} `conflict` when the account is gone
 */
export async function takeOver(tx: Transaction, listing: Listing): Promise<Scan> {
  const { account, stats, errors, formats, allowEmpty } = listing;
  const { id, kind } = listing.scan;
  const outcome =
    allowEmpty || (await isAnythingLive(tx)) || (await mayEmpty(tx, account.id, id))
      ? { stats: { ...stats, ...(await replaceInventory(tx, listing)) }, errors }
      : { stats, errors: [...errors, EMPTY_LISTING] };
  const scan = await endMatch(tx, id, {
    ...outcome,
    format: [...new Set(formats.map(({ name }) => name))].join(", ") || undefined,
    snapshotId:
      kind === "inventory" ? undefined : await openSnapshot(tx, { accountId: account.id, scanId: id }),
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
  { account: { id }, formats, verdict, sight }: Listing,
): Promise<ScanStats> {
  await storeVerdict(tx, verdict);
  await recognizeKnown(tx, id);
  const { created, gone } = await mergeIncoming(tx, id, await disabledRules(tx));
  const others = (await recordMatches(tx, id)).filter((other) => other !== id);
  const taggedOnly = formats.length > 0 && formats.every((format) => format.taggedOnly);
  await noteSight(tx, id, { ...sight, taggedOnly });
  await recount(tx, [id, ...others]);
  await awaitDrift(tx, others);
  return { created, gone, ...(await accountCounts(tx, id)) };
}
