import type { CloudAccount } from "@leeway/shared/contracts/inventory/accounts";
import type { Scan, ScanError, ScanStats } from "@leeway/shared/contracts/inventory/scans";
import type { Transaction } from "@leeway/shared/database/database";
import { AppError } from "@leeway/shared/errors";

import type { ListingFormat } from "../clouds/cloud.ts";
import { cloudOf } from "../clouds/clouds.ts";
import { openSnapshot } from "../drift/store/snapshots.ts";
import { awaitDrift, matchAnew } from "../matching/rematch.ts";
import { recount } from "../matching/store/recount.ts";
import { accountCounts, hasLiveResources, learnProjectId } from "./store/account.ts";
import type { Changes } from "./store/incoming.ts";
import { wasEmptyBefore } from "./store/scans.ts";
import { noteSight, type Sight } from "./store/sight.ts";
import { endMatch } from "./store/work.ts";

const EMPTY_LISTING: ScanError = {
  code: "empty_listing",
  message: "the listing names nothing and the account had resources: nothing was removed",
  count: 1,
};

/** What became of the inventory when a listing replaced it. */
export interface Replaced extends Changes {
  /** Accounts that are to be matched anew for it. */
  unsettled: readonly string[];
}

/** A listing that was read. */
interface Listing {
  scan: { id: string; kind: Scan["kind"] };
  account: CloudAccount;
  /** What was read, and what went wrong with it. */
  stats: ScanStats;
  errors: readonly ScanError[];
  formats: readonly Pick<ListingFormat, "name" | "taggedOnly">[];
  /** Canonical types that it shows. */
  types: readonly string[];
  /** What it could show. */
  sight: Sight;
  /** Whether it may empty the account by itself. */
  allowEmpty: boolean;
  /** Whether nothing is believed to be live after it. */
  isEmpty: boolean;
  /** Makes it what is live in the account, and matches it. */
  replace(): Promise<Replaced>;
}

/**
 * Makes a listing the account's inventory, and its drift the next thing to be computed. The caller holds the scan and
 * `lockMatching`.
 * @throws {AppError} `conflict` when the account is gone
 */
export async function takeOver(tx: Transaction, listing: Listing): Promise<Scan> {
  const { account, stats, errors, formats, allowEmpty, isEmpty } = listing;
  const { id, kind } = listing.scan;
  const outcome =
    allowEmpty || !isEmpty || (await mayEmpty(tx, account.id, id))
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
  { account: { id, provider, external_id }, formats, types, sight, replace }: Listing,
): Promise<ScanStats> {
  const { created, gone, unsettled } = await replace();
  const projectRow = cloudOf(provider).projectRow?.(external_id);
  const isNamed = projectRow !== undefined && (await learnProjectId(tx, id, projectRow));
  const matched = await matchAnew(tx, isNamed ? [id, ...unsettled] : unsettled);
  const others = matched.filter((other) => other !== id);
  const taggedOnly = formats.length > 0 && formats.every((format) => format.taggedOnly);
  await noteSight(tx, id, { ...sight, types, taggedOnly });
  await recount(tx, [id, ...others]);
  await awaitDrift(tx, others);
  return { created, gone, ...(await accountCounts(tx, id)) };
}
