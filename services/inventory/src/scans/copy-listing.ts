import type { Transaction } from "@leeway/shared/database/database";

import type { ListedAccount } from "../listings/listed-line.ts";
import type { ListingEnd, ListingPiece } from "../listings/reading/listing-reading.ts";
import { openListingReader } from "../listings/reading/reader.ts";
import { copyIntoLiveSide } from "./store/live-side.ts";

/** A listing as it comes in. */
export interface Incoming {
  chunks: AsyncIterable<Uint8Array>;
  /** How large it may be. */
  mostBytes: number;
}

/**
 * Reads a listing into `live_side`, while it comes in, and finds what of it is declared.
 * @param declared as `declaredTexts`, of the account
 * @throws {AppError} `unsupported_format`; `account_mismatch` when all of it is of another account
 */
export async function copyListing(
  tx: Transaction,
  { provider, external_id }: ListedAccount,
  { chunks, mostBytes }: Incoming,
  { declared, onProgress }: { declared(): Promise<string[]>; onProgress(seen: number): void },
): Promise<ListingEnd> {
  const reader = openListingReader(mostBytes);
  try {
    await reader.work("begin", [{ provider, external_id }, await declared()]);
    return await copyIntoLiveSide(tx, async (write) => {
      const take = async (first: Promise<ListingPiece>): Promise<void> => {
        for (let piece = await first; ; piece = await reader.work("rest", [])) {
          onProgress(piece.seen);
          await write(piece.lines);
          if (!piece.more) return;
        }
      };
      let ahead: Promise<ListingPiece> | undefined;
      for await (const chunk of chunks) {
        const next = reader.work("read", [chunk]);
        next.catch(() => undefined); // told where it is awaited
        if (ahead) await take(ahead);
        ahead = next;
      }
      if (ahead) await take(ahead);
      await take(reader.work("close", []));
      return reader.work("end", []);
    });
  } finally {
    reader.stop();
  }
}
