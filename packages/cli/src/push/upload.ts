import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { createGzip } from "node:zlib";

import type { Answer, Api } from "../api/client.ts";
import { Failure } from "../failure.ts";
import { reasonOf } from "../reason.ts";
import { isGzip } from "../gzip.ts";
import type { Terminal } from "../terminal.ts";
import { bytesOf, inUtf8, isUtf16 } from "../text.ts";
import { mebibytes } from "../words.ts";

/** Leeway's limit, compressed and uncompressed. */
const MAX_BYTES = 256 << 20;
/** Leeway answers once everything is stored and matched. */
const LONGEST_TRY_MS = 15 * 60_000;

type Stream = () => ReadableStream<Uint8Array>;

/**
 * Sends a file, or standard input for `-`, compressed while it is read.
 * @throws {Failure} when it can't be read or is too large
 */
export async function upload(
  api: Api,
  place: string,
  file: string,
  { during, readInput }: Terminal,
): Promise<Answer> {
  const name = file === "-" ? "standard input" : file;
  const body =
    file === "-"
      ? await during(`reading ${name}`, () => keptInput(readInput(), name))
      : await compressedFile(file).catch((cause: unknown) => {
          if (cause instanceof Failure) throw cause;
          throw new Failure("plan_unreadable", `can't read ${file}: ${reasonOf(cause)}`, { cause });
        });
  const headers = { "content-type": "application/octet-stream", "content-encoding": "gzip" };
  const send = { method: "PUT", path: place, headers, body, longestTryMs: LONGEST_TRY_MS } as const;
  return during(`sending ${name}`, () => api.ask(send));
}

/**
 * Reopens a file for each try. A pipe such as `<(terraform state pull)` can be read only once, so it is kept in
 * memory.
 */
async function compressedFile(file: string): Promise<Stream> {
  const found = await stat(file);
  if (!found.isFile()) return keptInput(createReadStream(file), file);
  if (found.size > MAX_BYTES) throw tooLarge(file);
  if (found.size === 0) throw empty(file);
  const start = await startOfFile(file);
  return () => streamOf(packed(start, createReadStream(file)));
}

/** Keeps one-time input in memory, compressed. */
async function keptInput(bytes: AsyncIterable<Uint8Array>, name: string): Promise<Stream> {
  const input = limited(bytes, name);
  const start = await startOf(input);
  const kept = await bytesOf(packed(start, Readable.from(joined(start, input))));
  return () => streamOf(Readable.from([kept]));
}

async function startOfFile(file: string): Promise<Buffer> {
  await using handle = await open(file);
  const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0);
  return buffer;
}

/** Reads the start of an input: at least two bytes, unless it is shorter. */
async function startOf(input: AsyncGenerator<Uint8Array, void>): Promise<Buffer> {
  let start = Buffer.alloc(0);
  while (start.length < 2) {
    const { value } = await input.next();
    if (!value) break;
    start = Buffer.concat([start, value]);
  }
  return start;
}

async function* joined(start: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield start;
  yield* rest;
}

async function* limited(input: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array, void> {
  let size = 0;
  for await (const part of input) {
    size += part.byteLength;
    if (size > MAX_BYTES) throw tooLarge(name);
    yield part;
  }
  if (size === 0) throw empty(name);
}

/** Compresses input as UTF-8; passes compressed input through unchanged. */
function packed(start: Uint8Array, bytes: Readable): Readable {
  if (isGzip(start)) return bytes;
  return pack(isUtf16(start) ? Readable.from(inUtf8(bytes)) : bytes);
}

function pack(bytes: Readable): Readable {
  const gzip = createGzip();
  bytes.on("error", (error) => gzip.destroy(error));
  return bytes.pipe(gzip);
}

function streamOf(bytes: Readable): ReadableStream<Uint8Array> {
  return Readable.toWeb(bytes);
}

function empty(name: string): Failure {
  return new Failure("plan_unreadable", `${name} is empty`);
}

function tooLarge(name: string): Failure {
  return new Failure("body_refused", `${name} is larger than ${mebibytes(MAX_BYTES)}, Leeway's limit`);
}
