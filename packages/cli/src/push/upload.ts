import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { createGzip } from "node:zlib";

import type { Answer, Api } from "../api/client.ts";
import { codeOf, Failure } from "../failure.ts";
import { isGzip } from "../gzip.ts";
import type { Terminal } from "../terminal.ts";
import { bytesOf, inUtf8, isUtf16 } from "../text.ts";

/** What Leeway takes, packed and unpacked. */
const MOST_BYTES = 256 << 20;
/** Leeway answers when all is taken in and matched. */
const LONGEST_TRY_MS = 15 * 60_000;

type Stream = () => ReadableStream<Uint8Array>;

/**
 * Sends a file, or the standard input when it is called `-`, packed while it is read.
 * @throws {Failure} when it can't be read or is too large
 */
export async function upload(api: Api, place: string, file: string, terminal: Terminal): Promise<Answer> {
  const body =
    file === "-"
      ? await keptInput(terminal.readInput(), "the standard input")
      : await packedFile(file).catch((cause: unknown) => {
          if (cause instanceof Failure) throw cause;
          throw new Failure("plan_unreadable", `${file} can't be read${codeOf(cause)}`, { cause });
        });
  const headers = { "content-type": "application/octet-stream", "content-encoding": "gzip" };
  return api.ask({ method: "PUT", path: place, headers, body, longestTryMs: LONGEST_TRY_MS });
}

/** A file is read anew for each try. What a shell names like one, such as `<(terraform state pull)`, comes once. */
async function packedFile(file: string): Promise<Stream> {
  const found = await stat(file);
  if (!found.isFile()) return keptInput(createReadStream(file), file);
  if (found.size > MOST_BYTES) throw tooLarge();
  if (found.size === 0) throw empty(file);
  const start = await startOfFile(file);
  return () => streamOf(packed(start, createReadStream(file)));
}

/** What comes once is kept, packed. */
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

/** What an input begins with: two bytes at least, unless it is shorter. */
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
    if (size > MOST_BYTES) throw tooLarge();
    yield part;
  }
  if (size === 0) throw empty(name);
}

/** What is packed already goes as it is, and text in UTF-8. */
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

function tooLarge(): Failure {
  return new Failure("body_refused", `it is larger than the ${MOST_BYTES} bytes that Leeway takes`);
}
