import { expect, test } from "bun:test";

import { linesOf } from "./lines.ts";

const CHUNK_BYTES = 16 * 1024;

async function* inChunks(text: string, bytes = CHUNK_BYTES): AsyncGenerator<Uint8Array> {
  const all = Buffer.from(text);
  for (let at = 0; at < all.length; at += bytes) yield all.subarray(at, at + bytes);
}

test.each([1, 2, 3, 100])("lines are read correctly from chunks of %d bytes", async (bytes) => {
  const lines = ["a", "", "zwölf €", "with \u2028 and \r in it", "\u{1F600}"];
  expect(await Array.fromAsync(linesOf(inChunks(`${lines.join("\n")}\n`, bytes)))).toEqual(lines);
  expect(await Array.fromAsync(linesOf(inChunks(lines.join("\n"), bytes)))).toEqual(lines);
});

test("a line of 40 MB is read as fast as many short ones", async () => {
  const row = "0123456789abcdef".repeat((40 << 20) / 16);
  for await (const line of linesOf(inChunks(`${row}\n`))) expect(line.length).toBe(row.length);
});
