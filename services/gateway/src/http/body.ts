import { decode } from "@leeway/shared/decode";
import { AppError, bodyRequired, unavailable } from "@leeway/shared/errors";
import { isObject } from "@leeway/shared/json";
import { decodeStrict } from "@leeway/shared/strict-json/decode-strict";
import { parseJson } from "@leeway/shared/strict-json/json-text";
import type { Static, TSchema } from "@sinclair/typebox";

import type { Method } from "./endpoint.ts";

const MOST_BYTES = 1 << 20;
const MOST_SMALL_BYTES = 64 * 1024;
const PATIENCE = { totalMs: 30_000, stallMs: 30_000 };

/** What clients send JSON as, curl's default and none at all among it. */
const READABLE =
  /^(?:$|application\/(?:json|[\w.-]+\+json|x-www-form-urlencoded|octet-stream)$|text\/(?:plain|json)$)/;

/**
 * The bytes of a JSON body, empty when there is none.
 * @throws {AppError} `unsupported_media_type`, `payload_too_large`, `request_timeout`
 */
export async function readBody(request: Request): Promise<Uint8Array> {
  const type = mediaType(request);
  if (!READABLE.test(type))
    throw new AppError("unsupported_media_type", `the body must be JSON, not ${type}`);
  if (contentEncoding(request) !== "identity") {
    throw new AppError("unsupported_media_type", "the body must not be encoded");
  }
  refuseDeclaredSize(request, MOST_BYTES);
  return request.body ? readAtMost(request.body, MOST_BYTES, PATIENCE) : new Uint8Array(0);
}

/**
 * What a JSON body says, as `schema` describes it; an absent one is an empty object.
 * @throws {AppError} `invalid_body` for what isn't JSON or has unknown members, `empty_update` for a PATCH
 * that changes nothing, else `invalid_parameter`
 */
export function decodeBody<S extends TSchema>(schema: S, bytes: Uint8Array, method: Method): Static<S> {
  const parsed = bytes.length === 0 ? { value: {}, bytes } : parseJson(bytes);
  if (method === "PATCH" && isObject(parsed.value) && Object.keys(parsed.value).length === 0) {
    throw new AppError("empty_update", "the body changes nothing");
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

/** The media type without its parameters, in lower case; empty when the request names none. */
export function mediaType(request: Request): string {
  const [type = ""] = (request.headers.get("content-type") ?? "").split(";");
  return type.trim().toLowerCase();
}

/** How the body is encoded, in lower case; `identity` when the request doesn't say. */
export function contentEncoding(request: Request): string {
  return request.headers.get("content-encoding")?.trim().toLowerCase() || "identity";
}

/** Whether the request announces so little that nobody need count the memory that it takes. */
export function isSmall(request: Request): boolean {
  const announced = request.headers.get("content-length");
  return request.body === null || (announced !== null && Number(announced) <= MOST_SMALL_BYTES);
}

/** @throws {AppError} `payload_too_large` when the request announces more than `mostBytes` */
export function refuseDeclaredSize(request: Request, mostBytes: number): void {
  if (Number(request.headers.get("content-length") ?? 0) > mostBytes) throw tooLarge(mostBytes);
}

/**
 * The bytes of a stream, behind those of it that were read before.
 * @throws {AppError} `payload_too_large`, `request_timeout`
 */
export async function readAtMost(
  body: ReadableStream<Uint8Array>,
  mostBytes: number,
  patience: Patience,
  beginning: readonly Uint8Array[] = [],
): Promise<Uint8Array> {
  const parts = [...beginning];
  let size = sizeOf(parts);
  if (size > mostBytes) throw tooLarge(mostBytes);
  for await (const part of withPatience(body, patience)) {
    size += part.byteLength;
    if (size > mostBytes) throw tooLarge(mostBytes);
    parts.push(part);
  }
  const [only] = parts;
  return parts.length === 1 && only ? only : Buffer.concat(parts);
}

/**
 * The bytes of a body of a known, small size.
 * @throws {AppError} `request_timeout`
 */
export async function readSmall(request: Request, timeoutMs: number): Promise<Uint8Array> {
  return new Uint8Array(await inTime(request.arrayBuffer().catch(cutOff), timeoutMs));
}

/**
 * The first parts of a stream, of more than `atLeast` bytes unless it ends with them; the rest stays in it.
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

/** `work`, unless it takes too long. @throws {AppError} `request_timeout` */
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
  /** For the whole body. */
  totalMs: number;
  /** For the next part of it. */
  stallMs: number;
}

/** The same stream, failing with `request_timeout` when it takes too long: a client may trickle for ever. */
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

/** The client is gone: nobody will see it, but it is no bug of ours either. */
function cutOff(cause: unknown): never {
  throw unavailable("the body was cut off", cause);
}

function tooLate(): AppError {
  return new AppError("request_timeout", "the body didn't arrive in time");
}

function tooLarge(mostBytes: number): AppError {
  return new AppError("payload_too_large", `the body is larger than ${mostBytes} bytes`);
}
