import type { CloudAccount } from "@leeway/shared/contracts/inventory/accounts";
import type { Transaction } from "@leeway/shared/database/database";

import { disabledRules } from "../matching/store/exclusions.ts";
import type { ListingEnd } from "../listings/reading/listing-reading.ts";
import { declaredTexts } from "../matching/store/declared.ts";
import { createMerge } from "./merge-live-side.ts";
import { readPieces, type Incoming } from "./read-pieces.ts";
import { createSettling } from "./settle-first.ts";
import { hasLiveResources, listedAs } from "./store/account.ts";
import { insertEarly } from "./store/incoming.ts";
import {
  ALL_HIDDEN,
  copyIntoLiveSide,
  createLiveSide,
  dropDuplicates,
  FIRST_PLACE,
  keepOverlooked,
  lastPlace,
} from "./store/live-side.ts";
import type { Replaced } from "./take-over.ts";

/** A listing that was read, with the functions that store it. */
export interface TakenIn extends ListingEnd {
  /** Matches the listing again, after declarations have changed. */
  prepareAgain(): Promise<void>;
  /** Stores the listing. The caller has held `lockMatching` since it was prepared. */
  replace(): Promise<Replaced>;
}

/**
 * Reads a listing into `live_side` and compares it with the account's resources, without `lockMatching`. If the
 * account has no resources, pieces go straight into its inventory, until the listing names a resource twice.
 * PostgreSQL then does most of its work while the rest is read. If a later line shows that a piece was matched
 * wrongly, everything is matched again.
 */
export async function takeIn(
  tx: Transaction,
  { account, scanId, body }: { account: CloudAccount; scanId: string; body: Incoming["body"] },
  onProgress: (seen: number) => void,
): Promise<TakenIn> {
  const isFirst = !(await hasLiveResources(tx, account.id));
  const disabled = await disabledRules(tx);
  await createLiveSide(tx);
  let inserted = 0;
  /** The place up to which rows of `live_side` are inserted. */
  let place = FIRST_PLACE;
  const incoming = { orgId: tx.orgId, account: await listedAs(tx, account), body };
  const listing = await readPieces(incoming, {
    declared: () => declaredTexts(tx, account.id),
    async take(piece) {
      onProgress(piece.seen);
      await copyIntoLiveSide(tx, [piece.lines], { early: true });
      if (!isFirst || piece.repeats) return;
      // Sent together, so that PostgreSQL doesn't wait for the second statement.
      const [count, last] = await Promise.all([
        insertEarly(tx, account.id, { behind: place, disabled }),
        lastPlace(tx, place),
      ]);
      inserted += count;
      place = last;
    },
  });
  if (isFirst && !listing.repeats) {
    const settling = createSettling(tx, account.id, disabled);
    await settling.prepare(listing);
    return {
      ...listing,
      prepareAgain: settling.prepare,
      replace: async () => ({ created: inserted, gone: 0, unsettled: await settling.finish() }),
    };
  }
  if (listing.repeats) await dropDuplicates(tx);
  if (listing.goesOn !== undefined) await keepOverlooked(tx, account.id, { scanId, hidden: ALL_HIDDEN });
  const merge = await createMerge(tx, account.id);
  const isOther = listing.repeats || listing.goesOn !== undefined;
  await merge.prepare(isOther ? undefined : listing.verdict);
  return {
    ...listing,
    prepareAgain: merge.prepare,
    async replace() {
      const { created, ...changes } = await merge.finish();
      return { ...changes, created: created + inserted };
    },
  };
}
