import { randomBytes } from "node:crypto";

import { Empty, nanos, NatsError, RetentionPolicy } from "nats";

import { decrypt, encrypt, KEY_BYTES } from "../encryption/cipher.ts";
import { AppError, unavailable } from "../errors.ts";
import type { BusConnection } from "./connection.ts";
import { letGo } from "../let-go.ts";
import { createSlots, type Slots } from "../fairness/slots.ts";
import { BODIES, ensureStream, streamManager } from "./streams.ts";

const CHUNK_BYTES = 512 * 1024;
/** Chunks of one body on their way at once: how far a slow bus lets a fast sender get ahead. */
const WINDOW = 4;
/** Chunks of all bodies on their way at once: what many senders may take of memory. */
const MOST_UNDER_WAY = 24;
/** The fastest: at more, a chunk that is compressed already costs twice the time. */
const ZSTD_LEVEL = 1;
const STORE_TIMEOUT_MS = 5_000;
const FETCH_TIMEOUT_MS = 2_000;
/** A body that nobody deletes, because its owner died, is gone after this. */
const KEEP_MS = 60 * 60 * 1000;
const REF = /^([0-9a-f-]{36})\.(\d{1,9})\.([\w-]{43})$/;

/** Large bodies on their way between services (claim check): the message carries only the reference. */
export interface Bodies {
  /**
   * Stores a body as it streams in.
   * @returns its reference and size in bytes
   * @throws {AppError} `payload_too_large` beyond `mostBytes`; nothing is kept then
   */
  put(body: ReadableStream<Uint8Array>, mostBytes: number): Promise<{ ref: string; size: number }>;
  /** The body as a stream of chunks, fetched as they are read. @throws {AppError} `unavailable` when it is gone */
  open(ref: string): Promise<ReadableStream<Uint8Array>>;
  /** How many bytes a body has at most, as its reference tells. */
  mostBytes(ref: string): number;
  /** Also of a body that is gone already. */
  delete(ref: string): Promise<void>;
}

/**
 * A body is a row of chunks in a stream, `body.<id>.<number>`, each compressed by itself: the bus writes every byte to
 * disk, and JSON is a tenth of its size. Its reference says how many, and holds the key that they are encrypted under:
 * what is left in the stream by an accident tells nobody anything.
 */
export function openBodies(bus: BusConnection, replicas: number): Bodies {
  const slots = createSlots(MOST_UNDER_WAY);
  return {
    async put(body, mostBytes) {
      const id = crypto.randomUUID();
      const key = randomBytes(KEY_BYTES);
      try {
        await bus.whileConnected(() => ensureBodies(bus, replicas));
        const { chunks, size } = await storeChunks({ bus, id, key, slots }, body, mostBytes);
        return { ref: `${id}.${chunks}.${key.toString("base64url")}`, size };
      } catch (error) {
        await remove(bus, id);
        throw error instanceof AppError ? error : unavailable("the body couldn't be taken in", error);
      }
    },
    open: (ref) => open(bus, ref),
    mostBytes: (ref) => partsOf(ref).chunks * CHUNK_BYTES,
    async delete(ref) {
      const { id } = partsOf(ref);
      await remove(bus, id);
    },
  };
}

async function ensureBodies(bus: BusConnection, replicas: number): Promise<void> {
  await ensureStream(await streamManager(bus), {
    name: BODIES,
    subjects: ["body.*.*"],
    retention: RetentionPolicy.Limits,
    max_age: nanos(KEEP_MS),
    allow_direct: true,
    num_replicas: replicas,
  });
}

interface Way {
  bus: BusConnection;
  id: string;
  key: Buffer;
  slots: Slots;
}

async function storeChunks(
  { bus, id, key, slots }: Way,
  body: ReadableStream<Uint8Array>,
  mostBytes: number,
): Promise<{ chunks: number; size: number }> {
  const underWay = new Set<Promise<unknown>>();
  let chunks = 0;
  let size = 0;
  try {
    for await (const chunk of inChunks(body)) {
      size += chunk.byteLength;
      if (size > mostBytes)
        throw new AppError("payload_too_large", `the body is larger than ${mostBytes} bytes`);
      await slots.take();
      const subject = `body.${id}.${chunks}`;
      const stored = storeChunk(bus, subject, sealed(key, subject, chunk)).finally(() => {
        slots.give();
        letGo(chunk.byteLength);
      });
      // One that failed stays there, to be told by the next wait: it may fail while none is waited for.
      stored.then(
        () => underWay.delete(stored),
        () => undefined,
      );
      underWay.add(stored);
      chunks += 1;
      await Promise.race(underWay.size < WINDOW ? [...underWay, Promise.resolve()] : underWay);
    }
    await Promise.all(underWay);
  } finally {
    // What is stored after the rest was removed would stay.
    await Promise.allSettled(underWay);
  }
  return { chunks, size };
}

function storeChunk(bus: BusConnection, subject: string, chunk: Uint8Array): Promise<unknown> {
  return bus.whileConnected(() =>
    bus.nats.jetstream().publish(subject, chunk, { timeout: STORE_TIMEOUT_MS }),
  );
}

/** The bytes of `body` in chunks of one size but for the last; each is good until the next is asked for. */
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

async function open(bus: BusConnection, ref: string): Promise<ReadableStream<Uint8Array>> {
  const { id, chunks, key } = partsOf(ref);
  const fetch = async (number: number): Promise<Uint8Array> => {
    const subject = `body.${id}.${number}`;
    return opened(key, subject, await fetchChunk(bus, subject));
  };
  /** Fetched ahead: the next chunk is on its way while the one before it is worked on. */
  let ahead = chunks === 0 ? undefined : fetch(0);
  let next = 1;
  await ahead;
  return new ReadableStream(
    {
      async pull(controller) {
        if (!ahead) return controller.close();
        controller.enqueue(await ahead);
        ahead = next < chunks ? fetch(next) : undefined;
        ahead?.catch(() => undefined); // told where it is awaited
        next += 1;
      },
    },
    { highWaterMark: 0 },
  );
}

async function fetchChunk(bus: BusConnection, subject: string): Promise<Uint8Array> {
  try {
    return await bus.whileConnected(
      async () => (await fetchDirect(bus, subject)) ?? fetchSurely(bus, subject),
    );
  } catch (error) {
    if (error instanceof AppError) throw error;
    const gone = error instanceof NatsError && error.code === "404";
    throw unavailable(gone ? "the body is gone" : "the message bus can't give the body", error);
  }
}

/** As bytes, from any copy of the stream; undefined when that one hasn't got it, or not yet. */
async function fetchDirect(bus: BusConnection, subject: string): Promise<Uint8Array | undefined> {
  const timeout = { timeout: FETCH_TIMEOUT_MS };
  const answer = await bus.nats.request(`$JS.API.DIRECT.GET.${BODIES}.${subject}`, Empty, timeout);
  return answer.headers?.hasError ? undefined : answer.data;
}

/** From the stream's leader, who has every chunk that was ever confirmed. */
async function fetchSurely(bus: BusConnection, subject: string): Promise<Uint8Array> {
  const manager = await streamManager(bus);
  const message = await manager.streams.getMessage(BODIES, { last_by_subj: subject });
  return message.data;
}

/** Leaves it to the stream's age limit when the bus doesn't answer. */
async function remove(bus: BusConnection, id: string): Promise<void> {
  try {
    await bus.whileConnected(async () => {
      const manager = await streamManager(bus);
      await manager.streams.purge(BODIES, { filter: `body.${id}.*` });
    });
  } catch {
    // The stream lets go of it within the hour.
  }
}

function sealed(key: Buffer, subject: string, chunk: Uint8Array): Uint8Array {
  return encrypt(key, Buffer.from(subject), Bun.zstdCompressSync(chunk, { level: ZSTD_LEVEL }));
}

function opened(key: Buffer, subject: string, chunk: Uint8Array): Uint8Array {
  try {
    return Bun.zstdDecompressSync(decrypt(key, Buffer.from(subject), chunk));
  } catch (error) {
    throw unavailable("the body was damaged on its way", error);
  }
}

function partsOf(ref: string): { id: string; chunks: number; key: Buffer } {
  const [, id, chunks, key] = REF.exec(ref) ?? [];
  if (id === undefined || key === undefined)
    throw new AppError("invalid_parameter", "not the reference of a body");
  return { id, chunks: Number(chunks), key: Buffer.from(key, "base64url") };
}
