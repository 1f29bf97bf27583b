import { decode } from "@leeway/shared/values/decode";
import { AppError, bodyRequired, unavailable } from "@leeway/shared/values/errors";
import { isObject } from "@leeway/shared/values/json";
import { decodeStrict } from "@leeway/shared/values/strict-json/decode-strict";
import { parseJson } from "@leeway/shared/values/strict-json/json-text";
import type { Static, TSchema } from "@sinclair/typebox";

const MAX_BYTES = 1 << 20;
const MAX_SMALL_BYTES = 64 * 1024;
const PATIENCE = { totalMs: 30_000, stallMs: 30_000 };

/** Media types that clients use for JSON, including curl's default and none at all. */
const READABLE =
  /^(?:$|application\/(?:json|[\w.-]+\+json|x-www-form-urlencoded|octet-stream)$|text\/(?:plain|json)$)/;

/**
 * Reads the bytes of a JSON body; empty if there is none.
 * @throws {AppError} `unsupported_media_type`, `payload_too_large`, `request_timeout`
 */
export async function readBody(request: Request): Promise<Uint8Array> {
  const type = mediaType(request);
  if (!READABLE.test(type))
    throw new AppError("unsupported_media_type", `the body must be JSON, not ${type}`);
  if (contentEncoding(request) !== "identity") {
    throw new AppError("unsupported_media_type", "the body must not have a Content-Encoding");
  }
  refuseDeclaredSize(request, MAX_BYTES);
  return request.body ? readAtMost(request.body, MAX_BYTES, PATIENCE) : new Uint8Array(0);
}

/**
 * Decodes a JSON body according to `schema`. An absent body is an empty object.
 * @throws {AppError} `invalid_body` if it isn't JSON or has unknown members, `empty_update` for a PATCH that changes
 * nothing, otherwise `invalid_parameter`
 */
export function decodeBody<S extends TSchema>(schema: S, bytes: Uint8Array, method: string): Static<S> {
  const parsed = bytes.length === 0 ? { value: {}, bytes } : parseJson(bytes);
  if (method === "PATCH" && isObject(parsed.value) && Object.keys(parsed.value).length === 0) {
    throw new AppError("empty_update", "the body changes nothing; provide at least one field to update");
  }
  if (bytes.length === 0) return decodeMissing(schema);
  return decodeStrict(schema, parsed);
}

function decodeMissing<S extends TSchema>(schema: S): Static<S> {
  try {
    return decode(schema, {});
  } catch (cause) {
    throw bodyRequired(cause);
  }
}

/** Returns the media type without parameters, in lower case; empty if the request has none. */
export function mediaType(request: Request): string {
  const [type = ""] = (request.headers.get("content-type") ?? "").split(";");
  return type.trim().toLowerCase();
}

/** Returns the body's encoding in lower case; `identity` if the request has none. */
export function contentEncoding(request: Request): string {
  return request.headers.get("content-encoding")?.trim().toLowerCase() || "identity";
}

/** Checks whether a request declares a body so small that its memory needn't be counted. */
export function isSmall(request: Request): boolean {
  const announced = request.headers.get("content-length");
  return request.body === null || (announced !== null && Number(announced) <= MAX_SMALL_BYTES);
}

/** @throws {AppError} `payload_too_large` if the declared size exceeds `maxBytes` */
export function refuseDeclaredSize(request: Request, maxBytes: number): void {
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw tooLarge(maxBytes);
}

/**
 * Reads a stream to its end, after the parts that were already read.
 * @throws {AppError} `payload_too_large`, `request_timeout`
 */
export async function readAtMost(
  body: ReadableStream<Uint8Array>,
  maxBytes: number,
  patience: Patience,
  beginning: readonly Uint8Array[] = [],
): Promise<Uint8Array> {
  const parts = [...beginning];
  let size = sizeOf(parts);
  if (size > maxBytes) throw tooLarge(maxBytes);
  for await (const part of withPatience(body, patience)) {
    size += part.byteLength;
    if (size > maxBytes) throw tooLarge(maxBytes);
    parts.push(part);
  }
  const [only] = parts;
  return parts.length === 1 && only ? only : Buffer.concat(parts);
}

/**
 * Reads a body whose size is known to be small.
 * @throws {AppError} `request_timeout`
 */
export async function readSmall(request: Request, timeoutMs: number): Promise<Uint8Array> {
  return new Uint8Array(await inTime(request.arrayBuffer().catch(cutOff), timeoutMs));
}

/**
 * Reads the first parts of a stream: more than `atLeast` bytes, unless it ends earlier. The rest stays in the stream.
 * @throws {AppError} `request_timeout`
 */
export async function readBeginning(
  body: ReadableStream<Uint8Array>,
  atLeast: number,
  timeoutMs: number,
): Promise<Uint8Array[]> {
  const reader = body.getReader();
  const parts: Uint8Array[] = [];
  const read = async (): Promise<void> => {
    while (sizeOf(parts) <= atLeast) {
      const { done, value } = await reader.read().catch(cutOff);
      if (done) return;
      parts.push(value);
    }
  };
  try {
    await inTime(read(), timeoutMs);
    return parts;
  } finally {
    reader.releaseLock();
  }
}

export function sizeOf(parts: readonly Uint8Array[]): number {
  return parts.reduce((size, part) => size + part.byteLength, 0);
}

/**
 * Waits for `work`, up to a timeout.
 * @throws {AppError} `request_timeout`
 */
async function inTime<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(tooLate()), timeoutMs);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

interface Patience {
  /** Timeout for the whole body. */
  totalMs: number;
  /** Timeout for its next part. */
  stallMs: number;
}

/** Returns the stream with timeouts, because a client could send forever. It fails with `request_timeout`. */
export function withPatience(
  body: ReadableStream<Uint8Array>,
  { totalMs, stallMs }: Patience,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const ends = performance.now() + totalMs;

  async function next(): Promise<Uint8Array | undefined> {
    const timeoutMs = Math.min(stallMs, ends - performance.now());
    const { done, value } = await inTime(reader.read().catch(cutOff), timeoutMs);
    return done ? undefined : value;
  }

  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const part = await next();
        if (part) controller.enqueue(part);
        else controller.close();
      } catch (error) {
        reader.cancel().catch(() => undefined);
        controller.error(error);
      }
    },
    cancel: () => reader.cancel(),
  });
}

/** Reports a client that disconnected. It won't see the error, but the error isn't a bug of ours. */
function cutOff(cause: unknown): never {
  throw unavailable("the connection closed before the whole body arrived", cause);
}

function tooLate(): AppError {
  return new AppError("request_timeout", "the body didn't arrive in time");
}

function tooLarge(maxBytes: number): AppError {
  return new AppError("payload_too_large", `the body exceeds the limit of ${maxBytes} bytes`);
}
