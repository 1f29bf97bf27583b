import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import { unavailable } from "./errors.ts";
import { inflated } from "./inflated.ts";
import { failureOf } from "../testing/testing.ts";

const MAX = 20 << 20;

/** Returns `bytes` as a stream, in chunks of the given sizes and one for the rest. */
function streamOf(bytes: Uint8Array, sizes: readonly number[] = []): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      let from = 0;
      for (const size of [...sizes, bytes.byteLength]) {
        if (from < bytes.byteLength) controller.enqueue(bytes.subarray(from, from + size));
        from += size;
      }
      controller.close();
    },
  });
}

const read = async (body: ReadableStream<Uint8Array>, most = MAX): Promise<Buffer> =>
  Buffer.concat(await Array.fromAsync(inflated(body, most)));

test("a gzip or plain body is read unchanged, however it is chunked", async () => {
  const bytes = fc.uint8Array({ maxLength: 2_000 });
  await fc.assert(
    fc.asyncProperty(bytes, fc.array(fc.integer({ min: 1, max: 30 })), async (body, sizes) => {
      expect([...(await read(streamOf(Bun.gzipSync(body), sizes)))]).toEqual([...body]);
      const plain = Buffer.concat([Buffer.from("{"), body]);
      expect([...(await read(streamOf(plain, sizes)))]).toEqual([...plain]);
    }),
  );
});

test.each([[[]], [[0x1f]], [[0x1f, 0x1f]]])("%j isn't treated as gzip", async (bytes) => {
  expect([...(await read(streamOf(Uint8Array.from(bytes), [1])))]).toEqual(bytes);
});

describe("a limit", () => {
  test.each([
    ["sent plain", (bytes: Uint8Array) => bytes],
    ["sent as gzip", (bytes: Uint8Array<ArrayBuffer>) => Bun.gzipSync(bytes)],
  ])("is exact for a body %s", async (_, sent) => {
    expect((await read(streamOf(sent(Buffer.alloc(MAX))))).byteLength).toBe(MAX);
    expect(await failureOf(read(streamOf(sent(Buffer.alloc(MAX + 1)))))).toMatchObject({
      code: "payload_too_large",
      message: `the body exceeds the limit of ${MAX} bytes`,
    });
  });

  test("stops a zip bomb early", async () => {
    const bomb = Bun.gzipSync(Buffer.alloc(256 << 20));
    let size = 0;
    const reading = (async () => {
      for await (const chunk of inflated(streamOf(bomb), MAX)) size += chunk.byteLength;
    })();
    expect(await failureOf(reading)).toMatchObject({ code: "payload_too_large" });
    expect(size).toBeLessThanOrEqual(MAX);
  });
});

test.each([3, 12, 40, -9, -1])("gzip truncated after %d bytes is refused", async (end) => {
  const whole = Bun.gzipSync(Buffer.from(Array.from({ length: 2_000 }, (_, index) => index * index)));
  expect(await failureOf(read(streamOf(whole.subarray(0, end))))).toMatchObject({
    code: "unsupported_format",
  });
});

test("damaged gzip is refused", async () => {
  const whole = Bun.gzipSync(Buffer.from("0123456789".repeat(100)));
  whole[whole.length - 6] = (whole[whole.length - 6] ?? 0) ^ 1; // in the checksum
  expect(await failureOf(read(streamOf(whole)))).toMatchObject({ code: "unsupported_format" });
});

test("an error of the stream is passed on", async () => {
  const broken = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(Bun.gzipSync(Buffer.from("{}")).subarray(0, 12)),
    pull: (controller) =>
      controller.error(unavailable("the stored request body no longer exists; send the request again")),
  });
  expect(await failureOf(read(broken))).toMatchObject({ code: "unavailable" });
});
