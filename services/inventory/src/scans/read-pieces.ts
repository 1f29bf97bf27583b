import { ownBuffer } from "@leeway/shared/fairness/aside";

import type { ListedAccount } from "../listings/listed-line.ts";
import type { ListingEnd, ListingPiece } from "../listings/reading/listing-reading.ts";
import { openListingReader } from "../listings/reading/reader.ts";

/** A listing as it comes in. */
export interface Incoming {
  chunks: AsyncIterable<Uint8Array>;
  /** How large it may be. */
  mostBytes: number;
}

/** How far reading gets ahead of who takes what is read. What is declared is to be known soon: it waits its turn. */
const CHUNKS_AHEAD = { known: 2, unknown: 1 };

/** Who takes what is read. */
interface Reader {
  /** Fetches what is declared, as `declaredTexts`; reading begins meanwhile. */
  declared(): Promise<string[]>;
  /** Takes lines, of which there are some, in their order; the next are read meanwhile. */
  take(piece: ListingPiece): Promise<void>;
}

/**
 * Reads a listing piece by piece, while it comes in, and finds what of it is declared.
 * @throws {AppError} `unsupported_format`; `account_mismatch` when all of it is of another account
 */
export async function readPieces(
  { provider, external_id }: ListedAccount,
  { chunks, mostBytes }: Incoming,
  { declared, take }: Reader,
): Promise<ListingEnd> {
  const reader = openListingReader(mostBytes);
  const texts = declared();
  texts.catch(() => undefined); // told where it is awaited
  try {
    await reader.work("begin", [{ provider, external_id }]);
    let mayWait = CHUNKS_AHEAD.unknown;
    const declaring = texts.then((all) => {
      mayWait = CHUNKS_AHEAD.known;
      return reader.work("declare", [all]);
    });
    declaring.catch(() => undefined); // told where it is awaited
    /** In the order in which they are asked for, which is that of the listing. */
    const asked: Promise<ListingPiece>[] = [];
    const ask = (piece: Promise<ListingPiece>): void => {
      piece.catch(() => undefined); // told where it is awaited
      asked.push(piece);
    };
    const takeNext = async (): Promise<void> => {
      const piece = await asked.shift();
      if (!piece) return;
      if (piece.lines.length > 0) await take(piece);
      if (!piece.more) return;
      await declaring;
      ask(reader.work("rest", []));
    };
    for await (const chunk of chunks) {
      ask(reader.work("read", [chunk], ownBuffer(chunk)));
      while (asked.length > mayWait) await takeNext();
    }
    await declaring;
    ask(reader.work("close", []));
    while (asked.length > 0) await takeNext();
    return await reader.work("end", []);
  } finally {
    reader.stop();
  }
}
