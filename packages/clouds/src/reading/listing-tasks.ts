import type { ListedAccount } from "../listings/named-accounts.ts";
import { readDeclared } from "../matching/declared-texts.ts";
import type { Declared } from "../matching/model.ts";
import type { StoredRows } from "./known-rows.ts";
import { ListingReading, type ListingEnd, type ListingPiece } from "./listing-reading.ts";

/**
 * Returns the steps of reading one listing: `begin`, `read` for each chunk, `close`, `end`. Call `rest` while there is
 * more. Before the first `rest` or `close`, call `takeDeclared` for each text of `declaredTexts`, and then `declare`. One
 * call with all texts would take ten times as long to pass to a thread.
 */
export function listingTasks() {
  let reading: ListingReading | undefined;
  const declared: Declared[] = [];
  const current = (): ListingReading => {
    if (!reading) throw new Error("the listing wasn't started");
    return reading;
  };
  return {
    begin(account: ListedAccount, known?: StoredRows): void {
      reading = new ListingReading(account, known);
    },
    takeDeclared(text: string): void {
      for (const one of readDeclared(text)) declared.push(one);
    },
    declare: (): void => current().declare(declared),
    read: (chunk: Uint8Array): Promise<ListingPiece> => current().read(chunk),
    rest: (): Promise<ListingPiece> => current().rest(),
    close: (): Promise<ListingPiece> => current().close(),
    end: (): Promise<ListingEnd> => current().end(),
  };
}
