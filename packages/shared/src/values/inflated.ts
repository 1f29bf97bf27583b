import { AppError } from "./errors.ts";

const GZIP = [0x1f, 0x8b] as const;

/**
 * Returns a body without its gzip, chunk by chunk. Its first bytes show whether it is compressed.
 * @throws {AppError} `payload_too_large` beyond `maxBytes` after inflating; `unsupported_format` for gzip that is
 * truncated or corrupt
 */
export async function* inflated(
  body: ReadableStream<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  const [beginning, whole] = await withBeginning(body);
  let size = 0;
  for await (const chunk of isGzip(beginning) ? gunzipped(whole) : whole) {
    size += chunk.byteLength;
    if (size > maxBytes) {
      throw new AppError("payload_too_large", `the body exceeds the limit of ${maxBytes} bytes`);
    }
    yield chunk;
  }
}

export function isGzip(beginning: Uint8Array): boolean {
  return GZIP.every((byte, index) => beginning[index] === byte);
}

/** Returns the first bytes of a body, which show its format, and the whole body. */
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
    throw new AppError("unsupported_format", "the gzip body is truncated or corrupt", { cause });
  }
}
