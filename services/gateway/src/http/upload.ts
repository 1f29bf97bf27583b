import type { Bodies } from "@leeway/shared/bus/bodies";
import type { BodyReference } from "@leeway/shared/contracts/common";
import { AppError, bodyRequired } from "@leeway/shared/values/errors";

import { contentEncoding, mediaType, refuseDeclaredSize, withPatience } from "./body.ts";

/** Limit on listings and states. */
export const LARGEST_DOCUMENT_BYTES = 256 * 1024 * 1024;
const PATIENCE = { totalMs: 15 * 60 * 1000, stallMs: 30_000 };
/** Media types that wrap a document. */
const WRAPPED = /^multipart\/|[/+]xml$/;

interface UploadOptions {
  bodies: Bodies;
  maxBytes: number;
  /** Receives every part of the body. */
  onPart?: (part: Uint8Array) => void;
}

/**
 * Streams a large body into the body store.
 * @throws {AppError} `unsupported_media_type`, `payload_too_large`, `request_timeout`, `invalid_parameter`
 */
export async function takeUpload(
  request: Request,
  { bodies, maxBytes, onPart }: UploadOptions,
): Promise<BodyReference> {
  const type = mediaType(request);
  if (WRAPPED.test(type))
    throw new AppError("unsupported_media_type", `the body must not be ${type}; send the document itself`);
  const encoding = contentEncoding(request);
  if (encoding !== "identity" && encoding !== "gzip") {
    throw new AppError("unsupported_media_type", "Content-Encoding must be identity or gzip");
  }
  refuseDeclaredSize(request, maxBytes);
  if (!request.body) throw bodyRequired();
  const body = withPatience(request.body, PATIENCE);
  const { ref, size } = await bodies.put(onPart ? observed(body, onPart) : body, maxBytes);
  if (size > 0) return { ref };
  await bodies.delete(ref);
  throw bodyRequired();
}

function observed(
  body: ReadableStream<Uint8Array>,
  onPart: (part: Uint8Array) => void,
): ReadableStream<Uint8Array> {
  const observer = new TransformStream<Uint8Array, Uint8Array>({
    transform(part, controller) {
      onPart(part);
      controller.enqueue(part);
    },
  });
  return body.pipeThrough(observer);
}
