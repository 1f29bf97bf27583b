import type { CloudAccount } from "@leeway/shared/contracts/inventory/accounts";
import type { Transaction } from "@leeway/shared/database/database";

import { disabledRules } from "../exclusions/store.ts";
import type { ListingEnd } from "../listings/reading/listing-reading.ts";
import { recordAmbiguities } from "../matching/store/ambiguities.ts";
import { declaredTexts } from "../matching/store/declared.ts";
import { takeLiveSide, takeOwned } from "../matching/store/live.ts";
import { applyVerdict, recordMatches, settleContested } from "../matching/store/matches.ts";
import { storeVerdict } from "../matching/store/verdict.ts";
import { mergeLiveSide, verdictOnLiveSide } from "./merge-live-side.ts";
import { readPieces, type Incoming } from "./read-pieces.ts";
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

/** A listing that was read, and how it becomes what is live in its account. */
interface TakenIn extends ListingEnd {
  replace(): Promise<Replaced>;
}

/**
 * Reads a listing into `live_side`, to be compared with what the account has. That of an account that has nothing goes
 * straight into its inventory, piece by piece, until it names a resource twice: most of what PostgreSQL has to do is done
 * while the rest is read. What came later may show that a piece was matched wrongly; then all of it is again.
 */
export async function takeIn(
  tx: Transaction,
  { account, scanId, incoming }: { account: CloudAccount; scanId: string; incoming: Incoming },
  onProgress: (seen: number) => void,
): Promise<TakenIn> {
  const isFirst = !(await hasLiveResources(tx, account.id));
  const disabled = await disabledRules(tx);
  await createLiveSide(tx);
  let inserted = 0;
  /** Up to where `live_side` is inserted. */
  let place = FIRST_PLACE;
  const listing = await readPieces(await listedAs(tx, account), incoming, {
    declared: () => declaredTexts(tx, account.id),
    async take(piece) {
      onProgress(piece.seen);
      await copyIntoLiveSide(tx, [piece.lines], { early: true });
      if (!isFirst || piece.repeats) return;
      // Sent together: PostgreSQL needn't wait for the second to be asked.
      const [count, last] = await Promise.all([
        insertEarly(tx, account.id, { behind: place, disabled }),
        lastPlace(tx, place),
      ]);
      inserted += count;
      place = last;
    },
  });
  return { ...listing, replace };

  async function replace(): Promise<Replaced> {
    if (isFirst && !listing.repeats) {
      return { created: inserted, gone: 0, unsettled: await settle(tx, account.id, disabled, listing) };
    }
    if (listing.repeats) await dropDuplicates(tx);
    if (listing.goesOn !== undefined) await keepOverlooked(tx, account.id, { scanId, hidden: ALL_HIDDEN });
    const isOther = listing.repeats || listing.goesOn !== undefined;
    const verdict = isOther ? await verdictOnLiveSide(tx, account.id) : listing.verdict;
    const { created, ...changes } = await mergeLiveSide(tx, account.id, { verdict, disabled });
    return { ...changes, created: created + inserted };
  }
}

/** @returns accounts that are to be matched anew for it */
async function settle(
  tx: Transaction,
  accountId: string,
  disabled: string[],
  { verdict, hasOwned }: ListingEnd,
): Promise<string[]> {
  if (verdict.lines) {
    await takeLiveSide(tx, accountId);
    await storeVerdict(tx, verdict.lines);
    await applyVerdict(tx, disabled);
    return recordMatches(tx, accountId, verdict.ambiguous);
  }
  if (hasOwned) {
    await takeOwned(tx, accountId);
    await storeVerdict(tx, undefined);
    await applyVerdict(tx, disabled);
  }
  await recordAmbiguities(tx, accountId, verdict.ambiguous);
  return settleContested(tx);
}
