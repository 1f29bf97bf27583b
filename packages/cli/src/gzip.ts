import { gunzipSync } from "node:zlib";

/** Whether bytes begin as gzip does. */
export function isGzip([first, second]: Uint8Array): boolean {
  return first === 0x1f && second === 0x8b;
}

/** What gzip holds, and all else as it is. @throws {Error} of gzip that is cut off or broken */
export function unpacked(bytes: Uint8Array): Uint8Array {
  return isGzip(bytes) ? gunzipSync(bytes) : bytes;
}
