import type { ListedAccount } from "../listings/named-accounts.ts";
import type { StoredRows } from "./known-rows.ts";
import { ListingReading, type ListingEnd, type ListingPiece } from "./listing-reading.ts";

/**
 * Returns the steps of reading one listing: `begin`, `read` for each chunk, `close`, `end`. Call `rest` while there is
 * more, and `declare` before the first `rest` or `close`.
 */
export function listingTasks() {
  let reading: ListingReading | undefined;
  const current = (): ListingReading => {
    if (!reading) throw new Error("the listing wasn't started");
    return reading;
  };
  return {
    begin(account: ListedAccount, known?: StoredRows): void {
      reading = new ListingReading(account, known);
    },
    declare: (declared: readonly string[]): void => current().declare(declared),
    read: (chunk: Uint8Array): Promise<ListingPiece> => current().read(chunk),
    rest: (): Promise<ListingPiece> => current().rest(),
    close: (): Promise<ListingPiece> => current().close(),
    end: (): Promise<ListingEnd> => current().end(),
  };
}
