import { SMALL_BYTES } from "./readers.ts";
import { isGzip } from "../values/inflated.ts";

/** Largest ratio of inflated to gzipped size. */
const MAX_INFLATED = 1_000;

/**
 * Reads the beginning of a body to find out whether it is small.
 * @returns the body and its size: the full size if it is small, otherwise the size that was read. Gzip counts as
 * inflated.
 */
export async function weighed(
  body: AsyncIterable<Uint8Array>,
): Promise<{ bytes: number; chunks: AsyncIterable<Uint8Array> }> {
  const rest = body[Symbol.asyncIterator]();
  const beginning: Uint8Array[] = [];
  let bytes = 0;
  while (bytes <= SMALL_BYTES) {
    const next = await rest.next();
    if (next.done) break;
    beginning.push(next.value);
    bytes += next.value.length;
  }
  const weight = isGzip(Buffer.concat(beginning.slice(0, 2))) ? MAX_INFLATED : 1;
  return { bytes: bytes * weight, chunks: rejoined(beginning, rest) };
}

async function* rejoined(
  beginning: readonly Uint8Array[],
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* beginning;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
