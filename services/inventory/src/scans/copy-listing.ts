import type { Transaction } from "@leeway/shared/database/database";
import { AppError } from "@leeway/shared/errors";

import type { ListedResource, ListingFormat } from "../clouds/cloud.ts";
import { CLOUDS, cloudOf, formatsOf } from "../clouds/clouds.ts";
import { asStored } from "../documents/copy-text.ts";
import type { ListedAccount } from "../listings/listed-line.ts";
import { ListingLines } from "../listings/listing-lines.ts";
import { readListing } from "../listings/read-listing.ts";
import type { Live } from "../matching/matcher.ts";
import { copyIntoLiveSide } from "./store/live-side.ts";

/** What a listing held. */
export interface ListingSummary {
  /** Resources of the account, duplicates included. */
  seen: number;
  /** Rows that plainly belong to another account. */
  foreign: number;
  formats: readonly ListingFormat[];
  /** It names a resource twice. */
  repeats: boolean;
}

const WRITE_CHARACTERS = 1 << 18;

/**
 * Reads a listing into `live_side`, while it comes in.
 * @throws {AppError} `unsupported_format`; `account_mismatch` when all of it is of another account
 */
export async function copyListing(
  tx: Transaction,
  account: ListedAccount,
  body: AsyncIterable<Uint8Array>,
  { see, onProgress }: { see(live: Live): void; onProgress(seen: number): void },
): Promise<ListingSummary> {
  const cloud = cloudOf(account.provider);
  const lines = new ListingLines(cloud, account);
  const listed = new ListedIds();
  const take = (resource: ListedResource): void => {
    const live = lines.take(resource);
    if (live === undefined) return;
    listed.add(resource);
    see(live);
  };
  const formats = await copyIntoLiveSide(tx, async (write) => {
    const flush = async (): Promise<void> => {
      onProgress(lines.seen);
      await write(lines.cut());
    };
    const drain = () => (lines.characters >= WRITE_CHARACTERS ? flush() : Promise.resolve());
    const met = await readListing(body, { formats: formatsOf(cloud), clouds: CLOUDS, take, drain });
    await flush();
    return met;
  });
  const { seen, foreign } = lines;
  if (seen === 0 && foreign > 0) {
    throw new AppError("account_mismatch", `all ${foreign} resources of the listing are in another account`);
  }
  return { seen, foreign, formats, repeats: listed.repeat };
}

/** Notices when a listing names a resource twice. */
class ListedIds {
  repeat = false;
  readonly #idsByType = new Map<string, Set<string>>();

  /** Compares as PostgreSQL does, for which two texts that it can't store as they are may be one. */
  add({ provider_type, provider_resource_id }: ListedResource): void {
    if (this.repeat) return;
    const type = asStored(provider_type);
    let ids = this.#idsByType.get(type);
    if (!ids) this.#idsByType.set(type, (ids = new Set()));
    const { size } = ids;
    this.repeat = ids.add(asStored(provider_resource_id)).size === size;
  }
}
