import type { CloudAccount } from "@leeway/shared/contracts/inventory/accounts";
import type { Transaction } from "@leeway/shared/database/database";
import { isDuplicate } from "@leeway/shared/database/failure";

import { disabledRules } from "../exclusions/store.ts";
import type { ListingEnd, ListingPiece } from "../listings/reading/listing-reading.ts";
import { takeLiveSide, takeOwned } from "../matching/store/live.ts";
import { applyVerdict, recordMatches, settleContested } from "../matching/store/matches.ts";
import { storeVerdict } from "../matching/store/verdict.ts";
import { declaredTextsFor, mergeLiveSide, verdictOnLiveSide } from "./merge-live-side.ts";
import { readPieces, type Incoming } from "./read-pieces.ts";
import { insertEarly } from "./store/incoming.ts";
import { copyIntoLiveSide, createLiveSide, dropDuplicates, emptyLiveSide } from "./store/live-side.ts";
import type { Changes } from "./take-over.ts";

/** A listing that was read, and how it becomes what is live in its account. */
interface TakenIn extends ListingEnd {
  replace(): Promise<Changes>;
}

/** What is told of a piece as it is taken. */
type OnPiece = (piece: ListingPiece) => void;

/** A listing names a resource twice: it can't go straight into the inventory. */
export class Repetition extends Error {}

/** Reads a listing into `live_side`, to be compared with what the account has. */
export async function stage(
  tx: Transaction,
  account: CloudAccount,
  incoming: Incoming,
  onPiece: OnPiece,
): Promise<TakenIn> {
  await createLiveSide(tx);
  const listing = await readPieces(account, incoming, {
    declared: () => declaredTextsFor(tx, account),
    noticesRepeats: true,
    async take(piece) {
      onPiece(piece);
      await copyIntoLiveSide(tx, [piece.lines], { early: true });
    },
  });
  if (listing.repeats) await dropDuplicates(tx);
  const verdict = listing.repeats ? await verdictOnLiveSide(tx, account) : listing.verdict;
  return { ...listing, replace: () => mergeLiveSide(tx, account, verdict) };
}

/**
 * Reads the listing of an account that has nothing straight into its inventory: most of what PostgreSQL has to do is
 * done while the rest is read. What came later may show that a piece was matched wrongly; then all of it is again.
 * @throws {Repetition}
 */
export async function fill(
  tx: Transaction,
  account: CloudAccount,
  incoming: Incoming,
  onPiece: OnPiece,
): Promise<TakenIn> {
  await createLiveSide(tx);
  const disabled = await disabledRules(tx);
  let created = 0;
  const listing = await readPieces(account, incoming, {
    declared: () => declaredTextsFor(tx, account),
    noticesRepeats: false, // the inventory does
    async take(piece) {
      onPiece(piece);
      await copyIntoLiveSide(tx, [piece.lines], { early: true });
      created += await insertEarly(tx, account.id, disabled);
      await emptyLiveSide(tx);
    },
  }).catch((error: unknown) => {
    throw isDuplicate(error, "live_resources_unique") ? new Repetition() : error;
  });
  return {
    ...listing,
    replace: async () => ({
      created,
      gone: 0,
      others: await settle(tx, account.id, disabled, listing),
    }),
  };
}

/** @returns other accounts in which a match has changed */
async function settle(
  tx: Transaction,
  accountId: string,
  disabled: string[],
  { verdict, hasOwned }: ListingEnd,
): Promise<string[]> {
  if (verdict) {
    await takeLiveSide(tx, accountId);
    await storeVerdict(tx, verdict);
    await applyVerdict(tx, disabled);
    return recordMatches(tx, accountId);
  }
  if (hasOwned) {
    await takeOwned(tx, accountId);
    await storeVerdict(tx, undefined);
    await applyVerdict(tx, disabled);
  }
  return settleContested(tx);
}
