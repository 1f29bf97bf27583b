import type { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";

/** Somebody sends more than is read of an answer. */
export class AnswerTooLarge extends Error {
  override readonly name = "AnswerTooLarge";
}

interface ReadOptions {
  /** Takes the compression off; absent where there is none. */
  inflate?: Transform | undefined;
  /** Largest answer that is read, inflated. */
  mostBytes: number;
  /** Ends the reading, however much is still to come. */
  signal: AbortSignal;
}

/**
 * The body of an answer. Where it isn't read to its end, the connection is closed.
 * @throws {AnswerTooLarge}
 */
export async function readAnswer(
  answer: Readable,
  { inflate, mostBytes, signal }: ReadOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let size = 0;
  // A pipeline that fails goes on until all its streams have closed, and an answer that is there but unread never does.
  const { promise: failed, reject } = Promise.withResolvers<never>();
  async function collect(source: AsyncIterable<Uint8Array>): Promise<void> {
    try {
      for await (const part of source) {
        size += part.byteLength;
        if (size > mostBytes) throw new AnswerTooLarge("the answer is too large");
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
