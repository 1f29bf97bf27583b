import type { Msg, MsgHdrs } from "nats";

import type { BusConnection } from "./connection.ts";
import { HEADER } from "./headers.ts";

/** Of a message, what its headers may take. */
const HEADERS_BYTES = 64 * 1024;

/** `payload` as it is where a message takes it, else packed, which `headers` then say. */
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

/** What {@link packed} was given. */
export function unpacked({ data, headers }: Msg): Uint8Array {
  return headers?.has(HEADER.packed) ? Bun.zstdDecompressSync(data) : data;
}
