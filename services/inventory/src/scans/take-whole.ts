import type { Transaction } from "@leeway/shared/database/database";
import type { ListingEnd } from "@leeway/clouds/reading/listing-reading";

import { disabledRules } from "../matching/store/exclusions.ts";
import { declaredTexts } from "../matching/store/declared.ts";
import { createMerge } from "./merge-live-side.ts";
import { readPieces, type Incoming } from "./read-pieces.ts";
import { createSettling } from "./settle-first.ts";
import { hasLiveResources } from "./store/account.ts";
import { keepRows } from "./store/digests.ts";
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
import type { TakenIn } from "./taken-in.ts";

/** A listing that is read in full. */
interface WholeListing {
  accountId: string;
  scanId: string;
  /** Result of `digestSeed`. */
  seed: bigint;
  incoming: Incoming;
}

/**
 * Reads a listing into `live_side` and compares it with the account's resources, without `lockMatching`. If the
 * account has no resources, pieces go straight into its inventory, until the listing names a resource twice.
 * PostgreSQL then does most of its work while the rest is read. If a later line shows that a piece was matched
 * wrongly, everything is matched again.
 */
export async function takeWhole(
  tx: Transaction,
  { accountId, scanId, seed, incoming }: WholeListing,
  onProgress: (seen: number) => void,
): Promise<TakenIn> {
  const isFirst = !(await hasLiveResources(tx, accountId));
  const disabled = await disabledRules(tx);
  await createLiveSide(tx);
  const { listing, inserted } = await readWhole(
    tx,
    { accountId, incoming, ...(isFirst && { early: { disabled } }) },
    onProgress,
  );
  const isComplete = !listing.repeats && listing.goesOn === undefined;
  const keep = async (isCompared: boolean): Promise<void> => {
    if (isComplete) await keepRows(tx, accountId, { ...listing.rows, seed, isCompared });
  };
  if (isFirst && !listing.repeats) {
    await keep(false);
    const settling = createSettling(tx, accountId, disabled);
    await settling.prepare(listing);
    return {
      ...listing,
      prepareAgain: settling.prepare,
      replace: async () => ({ created: inserted, gone: 0, unsettled: await settling.finish() }),
    };
  }
  if (listing.repeats) await dropDuplicates(tx);
  if (listing.goesOn !== undefined) await keepOverlooked(tx, accountId, { scanId, hidden: ALL_HIDDEN });
  const merge = await createMerge(tx, accountId);
  await merge.prepare(isComplete ? listing.verdict : undefined);
  await keep(true);
  return {
    ...listing,
    prepareAgain: merge.prepare,
    async replace() {
      const { created, ...changes } = await merge.finish();
      return { ...changes, created: created + inserted };
    },
  };
}

/** Reads a listing into `live_side`, and into the inventory if it may be inserted `early`. */
async function readWhole(
  tx: Transaction,
  { accountId, incoming, early }: Omit<WholeListing, "scanId" | "seed"> & { early?: { disabled: string[] } },
  onProgress: (seen: number) => void,
): Promise<{ listing: ListingEnd; inserted: number }> {
  let inserted = 0;
  /** The place up to which rows of `live_side` are inserted. */
  let place = FIRST_PLACE;
  const listing = await readPieces(incoming, {
    declared: () => declaredTexts(tx, accountId),
    async take(piece) {
      onProgress(piece.seen);
      await copyIntoLiveSide(tx, [piece.lines], { early: true });
      if (!early || piece.repeats) return;
      // Sent together, so that PostgreSQL doesn't wait for the second statement.
      const [count, last] = await Promise.all([
        insertEarly(tx, accountId, { behind: place, ...early }),
        lastPlace(tx, place),
      ]);
      inserted += count;
      place = last;
    },
  });
  return { listing, inserted };
}
