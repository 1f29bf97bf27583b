import { createHash, timingSafeEqual } from "node:crypto";

/** Returns the SHA-256 digest, 32 bytes. */
export function sha256(data: string | Uint8Array): Buffer {
  return createHash("sha256").update(data).digest();
}

/** Compares two values in a time that reveals neither where they differ nor their lengths. */
export function constantTimeEqual(a: string | Uint8Array, b: string | Uint8Array): boolean {
  return timingSafeEqual(sha256(a), sha256(b));
}
