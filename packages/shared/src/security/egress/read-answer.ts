import type { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";

/** A response body exceeds the limit. */
export class AnswerTooLarge extends Error {
  override readonly name = "AnswerTooLarge";
}

interface ReadOptions {
  /** Decompresses the body; absent if it isn't compressed. */
  inflate?: Transform | undefined;
  /** Largest body that is read, after decompression. */
  maxBytes: number;
  /** Stops reading when aborted. */
  signal: AbortSignal;
}

/**
 * Reads the body of a response. If it isn't read completely, the connection is closed.
 * @throws {AnswerTooLarge}
 */
export async function readAnswer(
  answer: Readable,
  { inflate, maxBytes, signal }: ReadOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let size = 0;
  // A failed pipeline only settles when all its streams have closed, which an unread response never does.
  const { promise: failed, reject } = Promise.withResolvers<never>();
  async function collect(source: AsyncIterable<Uint8Array>): Promise<void> {
    try {
      for await (const part of source) {
        size += part.byteLength;
        if (size > maxBytes) throw new AnswerTooLarge("the response is too large");
        parts.push(part);
      }
    } catch (error) {
      reject(error);
      throw error;
    }
  }
  await Promise.race([pipeline([answer, ...(inflate ? [inflate] : []), collect], { signal }), failed]);
  return Buffer.concat(parts);
}
