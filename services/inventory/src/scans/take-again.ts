import type { Transaction } from "@leeway/shared/database/database";
import { ENTRY_BYTES, type StoredRows } from "@leeway/clouds/reading/known-rows";
import type { ListingEnd } from "@leeway/clouds/reading/listing-reading";

import { createDeltaMerge } from "./merge-delta.ts";
import { createMerge } from "./merge-live-side.ts";
import { readPieces, type Incoming } from "./read-pieces.ts";
import { addUnchanged, compareDelta, mayLookUp } from "./store/delta.ts";
import { confirmRows, keepRows } from "./store/digests.ts";
import { copyIntoLiveSide, createLiveSide } from "./store/live-side.ts";
import type { TakenIn } from "./taken-in.ts";

/** A listing of an account whose rows are known. */
interface Listing {
  accountId: string;
  seed: bigint;
  incoming: Incoming & { known: StoredRows };
}

/**
 * Reads only the rows of a listing that have changed since the account's last one.
 * @returns undefined if it has to be read in full, because it is incomplete or repeats a resource
 */
export async function takeAgain(
  tx: Transaction,
  { accountId, seed, incoming }: Listing,
  onProgress: (seen: number) => void,
): Promise<TakenIn | undefined> {
  await createLiveSide(tx);
  const end = await readPieces(incoming, {
    declared: () => Promise.resolve([]),
    async take({ seen, lines }) {
      onProgress(seen);
      await copyIntoLiveSide(tx, [lines], { early: true });
    },
  });
  const { rows } = end;
  const read = end.seen - rows.unchanged.length / ENTRY_BYTES;
  if (read === 0 && rows.gone.length === 0 && isPlain(end)) return unchanged(tx, accountId, end);
  const delta = { ...rows, read };
  const keys = isPlain(end) ? await compareDelta(tx, accountId, delta) : "unknown";
  if (keys === "unknown") {
    await mayLookUp(tx, false);
    await tx`drop table live_side`;
    return undefined;
  }
  await keepRows(tx, accountId, { ...rows, seed, isCompared: false });
  if (keys === "same") {
    const merge = await createDeltaMerge(tx, accountId, delta);
    await merge.prepare();
    return { ...end, prepareAgain: merge.prepareAgain, replace: merge.finish };
  }
  await mayLookUp(tx, false);
  await addUnchanged(tx, accountId, rows.gone);
  const merge = await createMerge(tx, accountId);
  await merge.prepare();
  return { ...end, prepareAgain: merge.prepare, replace: merge.finish };
}

/** Returns whether a listing shows the whole account, and each resource once. */
function isPlain({ repeats, goesOn }: ListingEnd): boolean {
  return !repeats && goesOn === undefined;
}

/** Returns a listing in which nothing has changed. */
function unchanged(tx: Transaction, accountId: string, end: ListingEnd): TakenIn {
  return {
    ...end,
    prepareAgain: () => Promise.resolve(), // a change of declarations matches these resources itself
    async replace() {
      await confirmRows(tx, accountId);
      return { created: 0, gone: 0, unsettled: [], sameMatches: true };
    },
  };
}
