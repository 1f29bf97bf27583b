import { randomBytes } from "node:crypto";

import { Empty, NatsError } from "nats";

import { decrypt, encrypt, KEY_BYTES } from "../security/encryption/cipher.ts";
import { AppError, unavailable } from "../values/errors.ts";
import type { BusConnection } from "./connection.ts";
import { reportFreed } from "../platform/freed-memory.ts";
import { createSemaphore, type Semaphore } from "../concurrency/semaphore.ts";
import { bodiesOf, streamManager } from "./streams.ts";

const CHUNK_BYTES = 256 * 1024;
/** Limit of one body's chunks in flight: how far a fast sender may get ahead of a slow bus. */
const WINDOW = 4;
/**
 * Limit of all bodies' sealed chunks in flight, in bytes: how much memory many senders may take. While a body waits,
 * the runtime holds up to 2 MB of it.
 */
const MAX_UNDER_WAY = 12 << 20;
/** The fastest level. With a higher one, a chunk that is already compressed takes twice the time. */
const ZSTD_LEVEL = 1;
const STORE_TIMEOUT_MS = 5_000;
const FETCH_TIMEOUT_MS = 2_000;
const REF = /^([0-9a-f-]{36})\.(\d{1,5})\.([\w-]{43})$/;

/** Large bodies on their way between services (claim check): messages contain only a reference. */
export interface Bodies {
  /**
   * Stores a body as it streams in.
   * @returns its reference and size in bytes
   * @throws {AppError} `payload_too_large` beyond `maxBytes`; nothing stays stored then
   */
  put(body: ReadableStream<Uint8Array>, maxBytes: number): Promise<{ ref: string; size: number }>;
  /** Returns a body as a stream of chunks, fetched as they are read. @throws {AppError} `unavailable` if it is gone */
  open(ref: string): Promise<ReadableStream<Uint8Array>>;
  /** Deletes a body, if it still exists. */
  delete(ref: string): Promise<void>;
}

/**
 * Returns the bodies on their way to `owner`. A body is a series of chunks in the owner's stream,
 * `body.<owner>.<id>.<number>`. Each is compressed separately, because the bus writes every byte to disk, and JSON
 * compresses to a tenth. The reference has the number of chunks and the key that encrypts them, so that leftover
 * chunks can't be read.
 */
export function openBodies(bus: BusConnection, owner: string): Bodies {
  const slots = createSemaphore(MAX_UNDER_WAY);
  return {
    async put(body, maxBytes) {
      const id = crypto.randomUUID();
      const way = { bus, owner, id, key: randomBytes(KEY_BYTES), slots };
      const sent = { chunks: 0, size: 0 };
      try {
        await bus.whileConnected(() => Promise.resolve()); // otherwise a slow body would be read in vain
        await storeChunks(way, body, { maxBytes, sent });
        return { ref: `${id}.${sent.chunks}.${way.key.toString("base64url")}`, size: sent.size };
      } catch (error) {
        await remove(way, sent.chunks);
        throw error instanceof AppError
          ? error
          : unavailable("couldn't store the request body; send it again", error);
      }
    },
    open: (ref) => open(bus, owner, ref),
    async delete(ref) {
      const { id, chunks } = partsOf(ref);
      await remove({ bus, owner, id }, chunks);
    },
  };
}

interface Way {
  bus: BusConnection;
  owner: string;
  id: string;
  key: Buffer;
  slots: Semaphore;
}

const subjectOf = ({ owner, id }: Pick<Way, "owner" | "id">, number: number): string =>
  `body.${owner}.${id}.${number}`;

/** Stores a body's chunks, and counts them in `sent`, even if it fails. */
async function storeChunks(
  way: Way,
  body: ReadableStream<Uint8Array>,
  { maxBytes, sent }: { maxBytes: number; sent: { chunks: number; size: number } },
): Promise<void> {
  const { bus, key, slots } = way;
  const underWay = new Set<Promise<unknown>>();
  try {
    for await (const chunk of inChunks(body)) {
      sent.size += chunk.byteLength;
      if (sent.size > maxBytes)
        throw new AppError("payload_too_large", `the body exceeds the limit of ${maxBytes} bytes`);
      const subject = subjectOf(way, sent.chunks);
      const bytes = sealed(key, subject, chunk);
      await slots.acquire(bytes.byteLength);
      const stored = storeChunk(bus, subject, bytes).finally(() => {
        slots.release(bytes.byteLength);
        reportFreed(chunk.byteLength);
      });
      // A failed one stays in the set, so that the next wait throws its error.
      stored.then(
        () => underWay.delete(stored),
        () => undefined,
      );
      underWay.add(stored);
      sent.chunks += 1;
      await Promise.race(underWay.size < WINDOW ? [...underWay, Promise.resolve()] : underWay);
    }
    await Promise.all(underWay);
  } finally {
    // A chunk that is stored after the others were removed would stay.
    await Promise.allSettled(underWay);
  }
}

function storeChunk(bus: BusConnection, subject: string, chunk: Uint8Array): Promise<unknown> {
  return bus.whileConnected(() =>
    bus.nats.jetstream().publish(subject, chunk, { timeout: STORE_TIMEOUT_MS }),
  );
}

/** Yields `body` in chunks of equal size, except the last. A chunk is valid until the next one is requested. */
async function* inChunks(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  let filled = 0;
  for await (const part of body) {
    for (let taken = 0; taken < part.byteLength;) {
      const some = part.subarray(taken, taken + CHUNK_BYTES - filled);
      chunk.set(some, filled);
      taken += some.byteLength;
      filled += some.byteLength;
      if (filled < CHUNK_BYTES) continue;
      yield chunk;
      filled = 0;
    }
  }
  if (filled > 0) yield chunk.subarray(0, filled);
}

async function open(bus: BusConnection, owner: string, ref: string): Promise<ReadableStream<Uint8Array>> {
  const { id, chunks, key } = partsOf(ref);
  const fetch = async (number: number): Promise<Uint8Array> => {
    const subject = subjectOf({ owner, id }, number);
    return opened(key, subject, await fetchChunk(bus, bodiesOf(owner), subject));
  };
  /** Fetched ahead: the next chunk is on its way while the previous one is processed. */
  let ahead = chunks === 0 ? undefined : fetch(0);
  let next = 1;
  await ahead;
  return new ReadableStream(
    {
      async pull(controller) {
        if (!ahead) return controller.close();
        controller.enqueue(await ahead);
        ahead = next < chunks ? fetch(next) : undefined;
        ahead?.catch(() => undefined); // thrown where it is awaited
        next += 1;
      },
    },
    { highWaterMark: 0 },
  );
}

async function fetchChunk(bus: BusConnection, stream: string, subject: string): Promise<Uint8Array> {
  try {
    const chunk = await bus.whileConnected(
      async () => (await fetchDirect(bus, stream, subject)) ?? fetchSurely(bus, stream, subject),
    );
    if (chunk.length > 0) return chunk;
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (!(error instanceof NatsError && error.code === "404"))
      throw unavailable("couldn't read the request body from the message bus", error);
  }
  throw unavailable("the stored request body no longer exists; send the request again");
}

/** Fetches a chunk as bytes from any replica of the stream; undefined if that replica doesn't have it, or not yet. */
async function fetchDirect(
  bus: BusConnection,
  stream: string,
  subject: string,
): Promise<Uint8Array | undefined> {
  const timeout = { timeout: FETCH_TIMEOUT_MS };
  const answer = await bus.nats.request(`$JS.API.DIRECT.GET.${stream}.${subject}`, Empty, timeout);
  return answer.headers?.hasError ? undefined : answer.data;
}

/** Fetches a chunk from the stream's leader, which has every confirmed chunk. */
async function fetchSurely(bus: BusConnection, stream: string, subject: string): Promise<Uint8Array> {
  const manager = await streamManager(bus);
  const message = await manager.streams.getMessage(stream, { last_by_subj: subject });
  return message.data;
}

/**
 * Deletes a body with an empty message in each chunk's place. If the bus doesn't answer, the stream's age limit
 * deletes it. The stream keeps the order of messages, so that the confirmation of the last one covers all.
 */
async function remove(way: Pick<Way, "bus" | "owner" | "id">, chunks: number): Promise<void> {
  if (chunks === 0 || !way.bus.connected) return;
  for (let number = 1; number < chunks; number += 1) way.bus.nats.publish(subjectOf(way, number), Empty);
  await storeChunk(way.bus, subjectOf(way, 0), Empty).catch(() => undefined); // deleted within the hour
}

function sealed(key: Buffer, subject: string, chunk: Uint8Array): Uint8Array {
  return encrypt(key, Buffer.from(subject), Bun.zstdCompressSync(chunk, { level: ZSTD_LEVEL }));
}

function opened(key: Buffer, subject: string, chunk: Uint8Array): Uint8Array {
  try {
    return Bun.zstdDecompressSync(decrypt(key, Buffer.from(subject), chunk));
  } catch (error) {
    throw unavailable("the stored request body is damaged; send the request again", error);
  }
}

function partsOf(ref: string): { id: string; chunks: number; key: Buffer } {
  const [, id, chunks, key] = REF.exec(ref) ?? [];
  if (id === undefined || key === undefined)
    throw new AppError("invalid_parameter", "the reference to a stored body is invalid");
  return { id, chunks: Number(chunks), key: Buffer.from(key, "base64url") };
}
