import { ownBuffer } from "@leeway/shared/concurrency/serve-tasks";
import { reportFreed } from "@leeway/shared/platform/freed-memory";
import type { ListedAccount } from "@leeway/clouds/listings/named-accounts";
import type { StoredRows } from "@leeway/clouds/reading/known-rows";
import type { ListingEnd, ListingPiece } from "@leeway/clouds/reading/listing-reading";
import { weighed } from "@leeway/shared/concurrency/weighed";

import { readers, STEP_BYTES, type InventoryReader } from "../readers.ts";

/**
 * Number of chunks that are read before the previous ones are taken. Fewer are read until the declared resources are
 * known, because their lookup waits in the same queue.
 */
const CHUNKS_AHEAD = { known: 2, unknown: 1 };

/** A listing as it arrives, and its organization and account. */
export interface Incoming {
  orgId: string;
  account: ListedAccount;
  /** Rows that needn't be read. */
  known?: StoredRows;
  body: AsyncIterable<Uint8Array>;
}

/** Receiver of a listing's pieces. */
interface Taker {
  /** Fetches the declared resources, as `declaredTexts`, while reading begins. */
  declared(): Promise<string[]>;
  /** Takes a piece with at least one line. Pieces come in order; the next ones are read at the same time. */
  take(piece: ListingPiece): Promise<void>;
}

/**
 * Reads a listing piece by piece as it arrives, and finds its declared resources.
 * @throws {AppError} `unsupported_format`, `too_slow_to_read`
 */
export async function readPieces(
  { orgId, account: { provider, external_id }, known, body }: Incoming,
  { declared, take }: Taker,
): Promise<ListingEnd> {
  const texts = declared();
  texts.catch(() => undefined); // thrown where it is awaited
  const { bytes, chunks } = await weighed(body);
  return readers.within({ orgId, bytes }, async (reader) => {
    await reader.do("begin", [{ provider, external_id }, known], { bytes: STEP_BYTES });
    const read = await readChunks(reader, { chunks, texts, take });
    return reader.do("end", [], { bytes: STEP_BYTES + read });
  });
}

/** @returns the total length of the lines, in bytes */
async function readChunks(
  reader: InventoryReader,
  {
    chunks,
    texts,
    take,
  }: Pick<Taker, "take"> & {
    chunks: AsyncIterable<Uint8Array>;
    texts: Promise<string[]>;
  },
): Promise<number> {
  let read = 0;
  let mayWait = CHUNKS_AHEAD.unknown;
  const declare = async (): Promise<void> => {
    const all = await texts;
    mayWait = CHUNKS_AHEAD.known;
    const taken = all.map((text) => reader.do("takeDeclared", [text], { bytes: STEP_BYTES }));
    await Promise.all([...taken, reader.do("declare", [], { bytes: STEP_BYTES + lengthOf(all) })]);
  };
  const declaring = declare();
  declaring.catch(() => undefined); // thrown where it is awaited
  /** The requested pieces, in the order of the listing. */
  const asked: Promise<ListingPiece>[] = [];
  const ask = (piece: Promise<ListingPiece>): void => {
    piece.catch(() => undefined); // thrown where it is awaited
    asked.push(piece);
  };
  const takeNext = async (): Promise<void> => {
    const piece = await asked.shift();
    if (!piece) return;
    read += piece.lines.length;
    if (piece.lines.length > 0) await take(piece);
    reportFreed(piece.lines.length);
    if (!piece.more) return;
    await declaring;
    ask(reader.do("rest", [], { bytes: STEP_BYTES }));
  };
  for await (const chunk of chunks) {
    ask(reader.do("read", [chunk], { bytes: STEP_BYTES, given: ownBuffer(chunk) }));
    while (asked.length > mayWait) await takeNext();
  }
  await declaring;
  ask(reader.do("close", [], { bytes: STEP_BYTES }));
  while (asked.length > 0) await takeNext();
  return read;
}

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + length, 0);
}
