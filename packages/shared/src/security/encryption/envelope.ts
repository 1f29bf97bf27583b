import { randomBytes } from "node:crypto";

import { decrypt, encrypt, IV_BYTES, KEY_BYTES, TAG_BYTES } from "./cipher.ts";
import { isUuid } from "../../contracts/contract.ts";
import { counter } from "../../platform/telemetry/metrics.ts";
import type { KeyRing } from "./keyring.ts";

const VERSION = 1;
const WRAPPED_BYTES = IV_BYTES + KEY_BYTES + TAG_BYTES;

/** Metric for operators. The refused caller doesn't learn the reason. */
const unopened = counter("sealed_unopened_total", "Sealed database values that couldn't be decrypted", []);

/** Stands for the installation itself where an organization id is required. */
export const NO_ORGANIZATION = "00000000-0000-0000-0000-000000000000";

/** Location of a secret. A sealed value opens only there. */
export interface SealedPlace {
  orgId: string;
  /** Schema and table, as `schema.table`. */
  table: string;
  /**
   * The row's key within the organization. A key of several columns is their texts joined by blanks; only the last
   * may contain any.
   */
  rowId: string;
}

/** A sealed value can't be opened: it is broken, was moved from another row, or needs a key that is gone. */
export class SealError extends Error {
  override readonly name = "SealError";
}

/**
 * Encrypts with AES-256-GCM under a fresh data key, which the current master key wraps. Layout: version, length and
 * text of the master key's id, wrapped data key (iv, key, tag), iv, ciphertext, tag.
 */
export function seal(ring: KeyRing, place: SealedPlace, plaintext: string | Uint8Array): Buffer {
  const dataKey = randomBytes(KEY_BYTES);
  const bytes = typeof plaintext === "string" ? Buffer.from(plaintext) : plaintext;
  const body = encrypt(dataKey, associated(place), bytes);
  return Buffer.concat([wrap(ring, place, dataKey), body]);
}

/**
 * Returns the text that was sealed at `place`.
 * @throws {SealError} whatever the cause
 */
export function open(ring: KeyRing, place: SealedPlace, sealed: Uint8Array): string {
  return openBytes(ring, place, sealed).toString("utf8");
}

/**
 * Returns the bytes that were sealed at `place`.
 * @throws {SealError} as `open` does
 */
export function openBytes(ring: KeyRing, place: SealedPlace, sealed: Uint8Array): Buffer {
  try {
    return decrypted(ring, place, sealed);
  } catch (error) {
    unopened.inc();
    throw error;
  }
}

/**
 * Returns the text of a sealed value that a client stored. The client may have forged it, so failures aren't counted.
 * @throws {SealError} as `open` does
 */
export function openKept(ring: KeyRing, place: SealedPlace, sealed: Uint8Array): string {
  return decrypted(ring, place, sealed).toString("utf8");
}

function decrypted(ring: KeyRing, place: SealedPlace, sealed: Uint8Array): Buffer {
  const { dataKey, body } = unwrap(ring, place, Buffer.from(sealed));
  return decryptHere(dataKey, associated(place), body);
}

/** Returns the id of the master key that `sealed` needs. */
export function sealedBy(sealed: Uint8Array): string {
  return split(Buffer.from(sealed)).keyId;
}

/**
 * Rewraps a secret under the ring's current master key, without decrypting the secret itself.
 * @throws {SealError}
 */
export function rewrap(ring: KeyRing, place: SealedPlace, sealed: Uint8Array): Buffer {
  const { dataKey, body } = unwrap(ring, place, Buffer.from(sealed));
  return Buffer.concat([wrap(ring, place, dataKey), body]);
}

function wrap(ring: KeyRing, place: SealedPlace, dataKey: Buffer): Buffer {
  const { id, secret } = ring.current;
  return Buffer.concat([headerOf(id), encrypt(secret, associated(place, id), dataKey)]);
}

/** Returns the first bytes of every value under the master key `id`. No other value starts with them. */
export function headerOf(id: string): Buffer {
  const keyId = Buffer.from(id);
  return Buffer.concat([Buffer.from([VERSION, keyId.length]), keyId]);
}

function unwrap(ring: KeyRing, place: SealedPlace, sealed: Buffer): { dataKey: Buffer; body: Buffer } {
  const { keyId, wrapped, body } = split(sealed);
  const master = ring.byId(keyId);
  if (!master) throw new SealError("sealed with a master key that LEEWAY_MASTER_KEYS doesn't contain");
  return { dataKey: decryptHere(master.secret, associated(place, keyId), wrapped), body };
}

function split(sealed: Buffer): { keyId: string; wrapped: Buffer; body: Buffer } {
  const keyEnd = 2 + (sealed[1] ?? 0);
  const bodyStart = keyEnd + WRAPPED_BYTES;
  if (sealed[0] !== VERSION || sealed.length < bodyStart + IV_BYTES + TAG_BYTES) {
    throw new SealError("not a sealed value");
  }
  return {
    keyId: sealed.toString("utf8", 2, keyEnd),
    wrapped: sealed.subarray(keyEnd, bodyStart),
    body: sealed.subarray(bodyStart),
  };
}

function decryptHere(key: Buffer, associatedData: Buffer, sealed: Buffer): Buffer {
  try {
    return decrypt(key, associatedData, sealed);
  } catch (cause) {
    throw new SealError("the value can't be decrypted with this key and in this place", { cause });
  }
}

/** Returns the authenticated data of a ciphertext: its place and, for a wrapped key, the master key's id. */
function associated({ orgId, table, rowId }: SealedPlace, masterKeyId?: string): Buffer {
  return Buffer.from(
    JSON.stringify([VERSION, canonical(orgId), table, canonical(rowId), masterKeyId ?? null]),
  );
}

/** Lower-cases UUIDs, because callers may write them in any case. */
function canonical(id: string): string {
  return isUuid(id) ? id.toLowerCase() : id;
}
