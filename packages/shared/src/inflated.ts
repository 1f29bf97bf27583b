import { AppError } from "./errors.ts";

const GZIP = [0x1f, 0x8b] as const;

/**
 * A body without its gzip, chunk by chunk; it shows by itself whether it is compressed.
 * @throws {AppError} `payload_too_large` beyond `mostBytes` after inflating; `unsupported_format` for gzip
 *   that is cut off or broken
 */
export async function* inflated(
  body: ReadableStream<Uint8Array>,
  mostBytes: number,
): AsyncGenerator<Uint8Array> {
  const [beginning, whole] = await withBeginning(body);
  const isCompressed = GZIP.every((byte, index) => beginning[index] === byte);
  let size = 0;
  for await (const chunk of isCompressed ? gunzipped(whole) : whole) {
    size += chunk.byteLength;
    if (size > mostBytes) {
      throw new AppError("payload_too_large", `the body is larger than ${mostBytes} bytes`);
    }
    yield chunk;
  }
}

/** As much of the body as tells what it is, and the body that begins with it. */
async function withBeginning(
  body: ReadableStream<Uint8Array>,
): Promise<[Uint8Array, ReadableStream<Uint8Array>]> {
  const reader = body.getReader();
  let beginning: Uint8Array = new Uint8Array();
  while (beginning.byteLength < GZIP.length) {
    const { value, done } = await reader.read();
    if (done) break;
    beginning = beginning.byteLength === 0 ? value : Buffer.concat([beginning, value]);
  }
  const whole = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(beginning),
    async pull(controller) {
      const { value, done } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return [beginning, whole];
}

async function* gunzipped(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- two libraries declare the same stream
    const gunzip = new DecompressionStream("gzip") as unknown as ReadableWritablePair<Uint8Array, Uint8Array>;
    yield* body.pipeThrough(gunzip);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError("unsupported_format", "the body is gzip that is cut off or broken", { cause });
  }
}
