import { createHash, timingSafeEqual } from "node:crypto";

/** SHA-256, 32 bytes. */
export function sha256(data: string | Uint8Array): Buffer {
  return createHash("sha256").update(data).digest();
}

/** Whether both are equal, in a time that tells nothing of where they differ or how long they are. */
export function constantTimeEqual(a: string | Uint8Array, b: string | Uint8Array): boolean {
  return timingSafeEqual(sha256(a), sha256(b));
}
