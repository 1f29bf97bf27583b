import type { Transaction } from "@leeway/shared/database/database";

import { ENTRY_BYTES } from "../listings/digests/known-rows.ts";
import type { ListingEnd } from "../listings/reading/listing-reading.ts";
import { createDeltaMerge } from "./merge-delta.ts";
import { readPieces, type Incoming } from "./read-pieces.ts";
import { matchesAsBefore } from "./store/delta.ts";
import { confirmDigests, keepDigests } from "./store/digests.ts";
import { copyIntoLiveSide, createLiveSide } from "./store/live-side.ts";
import type { TakenIn } from "./take-in.ts";

/** Share of rows up to which only the changed ones are read and merged. Beyond it, merging all takes less time. */
const MAX_SHARE = 0.05;
/** Number of rows that are few, however small the account is. */
const FEW = 1_000;

/** Ends the reading of a listing in which too much has changed. */
class TooDifferent extends Error {}

/** A listing of an account whose stored rows are known. */
interface Listing {
  accountId: string;
  incoming: Incoming;
  known: readonly Uint8Array[];
}

/**
 * Reads a listing and stores only what has changed since the account's last one.
 * @returns undefined if it has to be read in full: if much has changed, resources are new, gone or may match otherwise,
 * it is incomplete, or it repeats a resource
 */
export async function takeAgain(
  tx: Transaction,
  listing: Listing,
  onProgress: (seen: number) => void,
): Promise<TakenIn | undefined> {
  const { accountId, incoming, known } = listing;
  await createLiveSide(tx);
  const end = await readChanges(tx, listing, onProgress);
  const delta = end?.known;
  const isUsable =
    end !== undefined &&
    delta !== undefined &&
    !end.repeats &&
    end.goesOn === undefined &&
    delta.unseen.length <= limitOf(known) &&
    (await matchesAsBefore(tx, accountId, delta.unseen));
  if (!isUsable) {
    await tx`drop table if exists live_side, known_as`;
    return undefined;
  }
  if (end.seen * ENTRY_BYTES === delta.seen.length && delta.unseen.length === 0) {
    return {
      ...end,
      prepareAgain: () => Promise.resolve(), // a change of declarations matches these resources itself
      async replace() {
        await confirmDigests(tx, accountId);
        return { created: 0, gone: 0, unsettled: [], sameMatches: true };
      },
    };
  }
  const merge = await createDeltaMerge(tx, accountId);
  await merge.prepare();
  const { seed } = incoming.recognition;
  await keepDigests(tx, accountId, { seed, known: delta.seen, idsIn: "compared" });
  return { ...end, prepareAgain: merge.prepareAgain, replace: merge.finish };
}

/** Reads the rows that aren't known into `live_side`. @returns undefined if they are too many */
async function readChanges(
  tx: Transaction,
  { incoming, known }: Listing,
  onProgress: (seen: number) => void,
): Promise<ListingEnd | undefined> {
  const recognition = { ...incoming.recognition, known };
  try {
    return await readPieces(
      { ...incoming, recognition },
      {
        declared: () => Promise.resolve([]), // matches stay
        async take({ seen, unknown, repeats, lines }) {
          onProgress(seen);
          if (repeats || unknown > limitOf(known)) throw new TooDifferent();
          await copyIntoLiveSide(tx, [lines], { early: true });
        },
      },
    );
  } catch (error) {
    if (error instanceof TooDifferent) return undefined;
    throw error;
  }
}

function limitOf(known: readonly Uint8Array[]): number {
  const count = known.reduce((sum, { length }) => sum + length, 0) / ENTRY_BYTES;
  return Math.max(FEW, count * MAX_SHARE);
}
