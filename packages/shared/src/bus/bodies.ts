import { nanos, StorageType, type ObjectStore } from "nats";

import { AppError, unavailable } from "../errors.ts";
import type { BusConnection } from "./connection.ts";

const BUCKET = "bodies";
const CHUNK_BYTES = 1 << 20;
/** A body that nobody deletes, because its owner died, is gone after this. */
const KEEP_MS = 60 * 60 * 1000;

/** Large bodies on their way between services (claim check): the message carries only the reference. */
export interface Bodies {
  /**
   * Stores a body as it streams in.
   * @returns its reference and size in bytes
   * @throws {AppError} `payload_too_large` beyond `mostBytes`; nothing is kept then
   */
  put(body: ReadableStream<Uint8Array>, mostBytes: number): Promise<{ ref: string; size: number }>;
  /** The body as a stream of chunks. @throws {AppError} `unavailable` when it is gone */
  open(ref: string): Promise<ReadableStream<Uint8Array>>;
  delete(ref: string): Promise<void>;
}

export function openBodies(bus: BusConnection, replicas: number): Bodies {
  let opening: Promise<ObjectStore> | undefined;
  const store = (): Promise<ObjectStore> => {
    opening ??= bus.nats
      .jetstream()
      .views.os(BUCKET, { storage: StorageType.File, replicas, ttl: nanos(KEEP_MS) })
      .catch((error: unknown) => {
        opening = undefined;
        throw unavailable("the message bus can't keep the body", error);
      });
    return opening;
  };
  return {
    put: async (body, mostBytes) => put(await store(), body, mostBytes),
    open: async (ref) => {
      const found = await (await store()).get(ref);
      if (!found) throw unavailable("the body is gone");
      return found.data;
    },
    delete: async (ref) => {
      await (await store()).delete(ref).catch(() => undefined); // the bucket lets go of it later anyway
    },
  };
}

async function put(
  store: ObjectStore,
  body: ReadableStream<Uint8Array>,
  mostBytes: number,
): Promise<{ ref: string; size: number }> {
  const ref = crypto.randomUUID();
  let size = 0;
  let tooLarge = false;
  const counted = body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        size += chunk.byteLength;
        tooLarge = size > mostBytes;
        if (tooLarge) controller.error(new Error("too large"));
        else controller.enqueue(chunk);
      },
    }),
  );
  try {
    await store.put({ name: ref, options: { max_chunk_size: CHUNK_BYTES } }, counted);
    return { ref, size };
  } catch (cause) {
    if (tooLarge)
      throw new AppError("payload_too_large", `the body is larger than ${mostBytes} bytes`, { cause });
    throw unavailable("the body couldn't be taken in", cause);
  }
}
