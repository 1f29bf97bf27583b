import { hkdfSync } from "node:crypto";

import { commaSeparated } from "../../platform/config.ts";

const KEY_BYTES = 32;
const KEY_ID = /^[\w.-]{1,64}$/;
/** 32 bytes in base64, checked because `Buffer` skips invalid characters. */
const BASE64_KEY = /^[\w+/-]{43}=?$/;

export interface Key {
  id: string;
  secret: Buffer;
}

/** The master keys, newest first. The first wraps new values; every key unwraps. */
export interface KeyRing {
  readonly current: Key;
  byId(id: string): Key | undefined;
  readonly all: readonly Key[];
}

/**
 * Parses `id:base64,…`, each key 32 bytes.
 * @throws {Error} naming the invalid key by position, never by content
 */
export function parseKeyRing(raw: string): KeyRing {
  return ringOf(commaSeparated(raw).map(parseKey));
}

/** Returns the ring of `all` keys, newest first. @throws {Error} if there is none, or one is there twice */
export function ringOf(all: readonly Key[]): KeyRing {
  const [current] = all;
  if (!current) throw new Error("needs at least one key as id:base64");
  const keys = new Map(all.map((key) => [key.id, key]));
  if (keys.size !== all.length) throw new Error("contains a key id twice");
  const secrets = new Set(all.map(({ secret }) => secret.toString("hex")));
  if (secrets.size !== all.length) throw new Error("contains the same key twice");
  return { current, all, byId: (id) => keys.get(id) };
}

function parseKey(raw: string, index: number): Key {
  const colon = raw.indexOf(":");
  const id = raw.slice(0, Math.max(0, colon));
  const text = raw.slice(colon + 1);
  if (!KEY_ID.test(id)) throw new Error(`key ${index + 1} needs an id of letters, digits, "_", "." or "-"`);
  if (!BASE64_KEY.test(text)) throw new Error(`key ${index + 1} must be ${KEY_BYTES} bytes in base64`);
  return { id, secret: Buffer.from(text, "base64") };
}

/** Derives 32-byte keys for one purpose from each master key (RFC 5869). The current one signs; all of them verify. */
export function deriveKeys(ring: KeyRing, purpose: string): { current: Buffer; all: Buffer[] } {
  const derive = ({ secret }: Key): Buffer =>
    Buffer.from(hkdfSync("sha256", secret, "", `leeway:${purpose}`, KEY_BYTES));
  return { current: derive(ring.current), all: ring.all.map(derive) };
}
