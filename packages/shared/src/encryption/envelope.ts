import { randomBytes } from "node:crypto";

import { decrypt, encrypt, IV_BYTES, KEY_BYTES, TAG_BYTES } from "./cipher.ts";
import { isUuid } from "../contract.ts";
import { counter } from "../telemetry/metrics.ts";
import type { KeyRing } from "./keyring.ts";

const VERSION = 1;
const WRAPPED_BYTES = IV_BYTES + KEY_BYTES + TAG_BYTES;

/** Whoever is refused because of it isn't told: operators are. */
const unopened = counter("sealed_unopened_total", "Sealed values of the database that didn't open", []);

/** Stands for the installation itself where an organization is to be named. */
export const NO_ORGANIZATION = "00000000-0000-0000-0000-000000000000";

/** Where a secret is kept. A sealed value opens only there. */
export interface SealedPlace {
  orgId: string;
  /** Schema and table, `schema.table`. */
  table: string;
  /** The row's key within the organization; of several columns, their texts joined by blanks (none in all but the last). */
  rowId: string;
}

/** A sealed value that doesn't open: broken, moved from another row, or under a key that is gone. */
export class SealError extends Error {
  override readonly name = "SealError";
}

/**
 * Encrypts with AES-256-GCM under a data key of its own, which the current master key wraps. Layout:
 * version, length and text of the master key's id, wrapped data key (iv, key, tag), iv, ciphertext, tag.
 */
export function seal(ring: KeyRing, place: SealedPlace, plaintext: string | Uint8Array): Buffer {
  const dataKey = randomBytes(KEY_BYTES);
  const bytes = typeof plaintext === "string" ? Buffer.from(plaintext) : plaintext;
  const body = encrypt(dataKey, associated(place), bytes);
  return Buffer.concat([wrap(ring, place, dataKey), body]);
}

/**
 * The text that was sealed at `place`.
 * @throws {SealError} for every cause alike
 */
export function open(ring: KeyRing, place: SealedPlace, sealed: Uint8Array): string {
  return openBytes(ring, place, sealed).toString("utf8");
}

/** The bytes that were sealed at `place`. @throws as `open` */
export function openBytes(ring: KeyRing, place: SealedPlace, sealed: Uint8Array): Buffer {
  try {
    return decrypted(ring, place, sealed);
  } catch (error) {
    unopened.inc();
    throw error;
  }
}

/** The text of what somebody outside has kept meanwhile, and may have made up: no operator is told. @throws as `open` */
export function openKept(ring: KeyRing, place: SealedPlace, sealed: Uint8Array): string {
  return decrypted(ring, place, sealed).toString("utf8");
}

function decrypted(ring: KeyRing, place: SealedPlace, sealed: Uint8Array): Buffer {
  const { dataKey, body } = unwrap(ring, place, Buffer.from(sealed));
  return decryptHere(dataKey, associated(place), body);
}

/** The id of the master key that `sealed` needs. */
export function sealedBy(sealed: Uint8Array): string {
  return split(Buffer.from(sealed)).keyId;
}

/**
 * The same secret under the ring's current master key; its text isn't decrypted on the way.
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

/** What every value begins with that is under the master key `id`, and no other. */
export function headerOf(id: string): Buffer {
  const keyId = Buffer.from(id);
  return Buffer.concat([Buffer.from([VERSION, keyId.length]), keyId]);
}

function unwrap(ring: KeyRing, place: SealedPlace, sealed: Buffer): { dataKey: Buffer; body: Buffer } {
  const { keyId, wrapped, body } = split(sealed);
  const master = ring.byId(keyId);
  if (!master) throw new SealError("sealed under a master key that isn't in the ring");
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
    throw new SealError("doesn't open here", { cause });
  }
}

/** What is authenticated with a ciphertext: where it belongs and, of a wrapped key, the master key's id. */
function associated({ orgId, table, rowId }: SealedPlace, masterKeyId?: string): Buffer {
  return Buffer.from(
    JSON.stringify([VERSION, canonical(orgId), table, canonical(rowId), masterKeyId ?? null]),
  );
}

/** A UUID is the same in whatever case a caller writes it. */
function canonical(id: string): string {
  return isUuid(id) ? id.toLowerCase() : id;
}
