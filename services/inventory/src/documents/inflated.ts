import { AppError } from "@leeway/shared/errors";

import { malformed } from "./malformed.ts";

const GZIP = [0x1f, 0x8b];

/**
 * A body without its gzip, chunk by chunk; it shows by itself whether it is compressed.
 * @throws {AppError} `payload_too_large` beyond `mostBytes` after inflating; `unsupported_format` for what
 *   is cut off
 */
export async function* inflated(
  body: ReadableStream<Uint8Array>,
  mostBytes: number,
): AsyncGenerator<Uint8Array> {
  const [first, whole] = await withFirst(body);
  const isCompressed = GZIP.every((byte, index) => first[index] === byte);
  let size = 0;
  for await (const chunk of isCompressed ? gunzipped(whole) : whole) {
    size += chunk.byteLength;
    if (size > mostBytes) {
      throw new AppError("payload_too_large", `the body is larger than ${mostBytes} bytes`);
    }
    yield chunk;
  }
}

/** The first chunk, and the body that begins with it. */
async function withFirst(
  body: ReadableStream<Uint8Array>,
): Promise<[Uint8Array, ReadableStream<Uint8Array>]> {
  const reader = body.getReader();
  const { value: first = new Uint8Array() } = await reader.read();
  const whole = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(first),
    async pull(controller) {
      const { value, done } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return [first, whole];
}

async function* gunzipped(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- two libraries declare the same stream
    const gunzip = new DecompressionStream("gzip") as unknown as ReadableWritablePair<Uint8Array, Uint8Array>;
    yield* body.pipeThrough(gunzip);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw malformed("it is gzip that is cut off or broken");
  }
}
