import type { Msg, MsgHdrs } from "nats";

import type { BusConnection } from "./connection.ts";
import { HEADER } from "./headers.ts";

/** Space for the headers of a message. */
const HEADERS_BYTES = 64 * 1024;

/** Compresses `payload` if a message can't hold it, and marks that in `headers`. */
export function packed(
  { nats }: BusConnection,
  payload: string | Uint8Array,
  headers: MsgHdrs,
): string | Uint8Array {
  const most = (nats.info?.max_payload ?? Infinity) - HEADERS_BYTES;
  if (payload.length * 3 <= most || Buffer.byteLength(payload) <= most) return payload;
  headers.set(HEADER.packed, "zstd");
  return Bun.zstdCompressSync(payload, { level: 1 });
}

/** Returns the payload from before {@link packed}. */
export function unpacked({ data, headers }: Msg): Uint8Array {
  return headers?.has(HEADER.packed) ? Bun.zstdDecompressSync(data) : data;
}
