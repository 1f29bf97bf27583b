import type { ListedAccount } from "../listed-line.ts";
import { ListingReading } from "./listing-reading.ts";

/** The steps of reading one listing: `begin`, `read` for each chunk, `end`. */
export function listingTasks() {
  let reading: ListingReading;
  return {
    begin(account: ListedAccount, declared: readonly string[]): void {
      reading = new ListingReading(account, declared);
    },
    read: (chunk: Uint8Array) => reading.read(chunk),
    end: () => reading.end(),
  };
}
