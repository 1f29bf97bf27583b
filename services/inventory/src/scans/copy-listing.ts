import type { Transaction } from "@leeway/shared/database/database";
import { AppError } from "@leeway/shared/errors";

import type { ListedResource, ListingFormat } from "../clouds/cloud.ts";
import { CLOUDS, cloudOf, formatsOf } from "../clouds/clouds.ts";
import { asStored } from "../documents/copy-text.ts";
import { readListing } from "../listings/read-listing.ts";
import { isForeign, listedLine, type ListedAccount } from "../listings/listed-line.ts";
import type { Live } from "../matching/matcher.ts";
import { copyLiveSide } from "./store/incoming.ts";

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
/** Longer ones don't fit an index; no cloud has them. */
const LONGEST_ID_BYTES = 2_000;
const LONGEST_TYPE = 300;

/**
 * Reads a listing into the temporary table `live_side`, while it comes in.
 * @throws {AppError} `unsupported_format`; `account_mismatch` when all of it is of another account
 */
export async function copyListing(
  tx: Transaction,
  account: ListedAccount,
  body: AsyncIterable<Uint8Array>,
  { see, onProgress }: { see(live: Live): void; onProgress(seen: number): void },
): Promise<ListingSummary> {
  const cloud = cloudOf(account.provider);
  const listed = new ListedIds();
  let lines: string[] = [];
  let characters = 0;
  let foreign = 0;
  const take = (resource: ListedResource): void => {
    if (isForeign(resource, cloud, account)) {
      foreign += 1;
      return;
    }
    refuseOversize(resource);
    listed.add(resource);
    const listing = listedLine(resource, cloud, account);
    see(listing);
    lines.push(listing.line);
    characters += listing.line.length + 1;
  };
  const formats = await copyLiveSide(tx, async (write) => {
    const flush = async (): Promise<void> => {
      const text = lines.length === 0 ? "" : `${lines.join("\n")}\n`;
      lines = [];
      characters = 0;
      onProgress(listed.count);
      await write(text);
    };
    const drain = () => (characters >= WRITE_CHARACTERS ? flush() : Promise.resolve());
    const met = await readListing(body, { formats: formatsOf(cloud), clouds: CLOUDS, take, drain });
    await flush();
    return met;
  });
  if (listed.count === 0 && foreign > 0) {
    throw new AppError("account_mismatch", `all ${foreign} resources of the listing are in another account`);
  }
  return { seen: listed.count, foreign, formats, repeats: listed.repeat };
}

/** Notices when a listing names a resource twice. */
class ListedIds {
  count = 0;
  repeat = false;
  readonly #idsByType = new Map<string, Set<string>>();

  /** Compares as PostgreSQL does, for which two texts that it can't store as they are may be one. */
  add({ provider_type, provider_resource_id }: ListedResource): void {
    this.count += 1;
    if (this.repeat) return;
    const type = asStored(provider_type);
    let ids = this.#idsByType.get(type);
    if (!ids) this.#idsByType.set(type, (ids = new Set()));
    const { size } = ids;
    this.repeat = ids.add(asStored(provider_resource_id)).size === size;
  }
}

function refuseOversize({ provider_resource_id, provider_type }: ListedResource): void {
  if (Buffer.byteLength(provider_resource_id) <= LONGEST_ID_BYTES && provider_type.length <= LONGEST_TYPE)
    return;
  throw new AppError(
    "unsupported_format",
    `the id ${provider_resource_id.slice(0, 80)}… is longer than ${LONGEST_ID_BYTES} bytes, or its type than ${LONGEST_TYPE}`,
  );
}
