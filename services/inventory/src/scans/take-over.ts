import type { ListingFormat } from "@leeway/clouds/cloud";
import { cloudOf } from "@leeway/clouds/clouds";
import type { CloudAccount } from "@leeway/shared/contracts/inventory/accounts";
import type { Scan, ScanError, ScanStats } from "@leeway/shared/contracts/inventory/scans";
import type { Transaction } from "@leeway/shared/database/database";
import { AppError } from "@leeway/shared/values/errors";

import { openSnapshot } from "../drift/store/snapshots.ts";
import { awaitDrift, matchAnew } from "../matching/rematch.ts";
import { areCountsRight, recount } from "../matching/store/recount.ts";
import { accountCounts, hasLiveResources, learnProjectId } from "./store/account.ts";
import type { Changes } from "./store/incoming.ts";
import { wasEmptyBefore } from "./store/scans.ts";
import { noteSight, type Sight } from "./store/sight.ts";
import { endMatch } from "./store/work.ts";

const EMPTY_LISTING: ScanError = {
  code: "empty_listing",
  message: "the listing is empty, but the account had resources; none were removed",
  count: 1,
};

/** Changes of the inventory when a listing replaced it. */
export interface Replaced extends Changes {
  /** Accounts to match again because of the changes. */
  unsettled: readonly string[];
  /** Whether no resource was added, removed or matched otherwise. */
  sameMatches?: boolean;
}

/** A listing that was read. */
interface Listing {
  scan: { id: string; kind: Scan["kind"] };
  account: CloudAccount;
  /** Counts of the listing, and the errors while reading it. */
  stats: ScanStats;
  errors: readonly ScanError[];
  formats: readonly Pick<ListingFormat, "name" | "taggedOnly">[];
  /** Canonical types in the listing. */
  types: readonly string[];
  /** Regions and types that the listing covers. */
  sight: Sight;
  /** Changes of the account's live resources; undefined if {@link mayReplace} refused them. */
  replaced: Replaced | undefined;
}

/** The result of a listing that was stored. */
interface Taken {
  scan: Scan;
  /** Other accounts whose drift was requested. */
  others: readonly string[];
}

/**
 * Returns whether a listing may replace the account's live resources. One that leaves nothing live needs `allowEmpty`,
 * or an account that was empty before.
 */
export async function mayReplace(
  tx: Transaction,
  listing: { accountId: string; scanId: string; allowEmpty: boolean; isEmpty: boolean },
): Promise<boolean> {
  const { accountId, scanId, allowEmpty, isEmpty } = listing;
  return allowEmpty || !isEmpty || mayEmpty(tx, accountId, scanId);
}

/**
 * Ends the scan of a listing that is stored, counts its changes, and requests its drift. The caller holds the scan and
 * `lockMatching`.
 * @throws {AppError} `conflict` if the account was deleted
 */
export async function takeOver(tx: Transaction, listing: Listing): Promise<Taken> {
  const { account, stats, errors, formats, replaced } = listing;
  const { id, kind } = listing.scan;
  const settled = replaced && (await settleChanges(tx, listing, replaced));
  const outcome = settled
    ? { stats: { ...stats, ...settled.stats }, errors }
    : { stats, errors: [...errors, EMPTY_LISTING] };
  const scan = await endMatch(tx, id, {
    ...outcome,
    format: [...new Set(formats.map(({ name }) => name))].join(", ") || undefined,
    snapshotId:
      kind === "inventory" ? undefined : await openSnapshot(tx, { accountId: account.id, scanId: id }),
  });
  if (!scan) throw new AppError("conflict", "the account was deleted during the scan");
  return { scan, others: settled?.others ?? [] };
}

/**
 * Returns whether an empty listing may empty the account: if the previous one was empty, too, or the account already
 * is.
 */
async function mayEmpty(tx: Transaction, accountId: string, scanId: string): Promise<boolean> {
  return !(await hasLiveResources(tx, accountId)) || (await wasEmptyBefore(tx, accountId, scanId));
}

async function settleChanges(
  tx: Transaction,
  { account: { id, provider, external_id }, formats, types, sight }: Listing,
  { created, gone, unsettled, sameMatches = false }: Replaced,
): Promise<{ stats: ScanStats; others: string[] }> {
  const projectRow = cloudOf(provider).projectRow?.(external_id);
  const isNamed = projectRow !== undefined && (await learnProjectId(tx, id, projectRow));
  const matched = await matchAnew(tx, isNamed ? [id, ...unsettled] : unsettled);
  const others = matched.filter((other) => other !== id);
  const taggedOnly = formats.length > 0 && formats.every((format) => format.taggedOnly);
  const isSameSight = await noteSight(tx, id, { ...sight, types, taggedOnly });
  const isSame = sameMatches && isSameSight && matched.length === 0 && (await areCountsRight(tx));
  if (!isSame) await recount(tx, [id, ...others], {});
  await awaitDrift(tx, others);
  return { stats: { created, gone, ...(await accountCounts(tx, id)) }, others };
}
