import { gunzipSync } from "node:zlib";

/** Returns whether bytes are gzip, by the first two. */
export function isGzip([first, second]: Uint8Array): boolean {
  return first === 0x1f && second === 0x8b;
}

/**
 * Decompresses gzip; returns other bytes unchanged.
 * @throws {Error} for truncated or corrupt gzip
 */
export function unpacked(bytes: Uint8Array): Uint8Array {
  return isGzip(bytes) ? gunzipSync(bytes) : bytes;
}
