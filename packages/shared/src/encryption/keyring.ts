import { hkdfSync } from "node:crypto";

import { commaSeparated } from "../config.ts";

const KEY_BYTES = 32;
const KEY_ID = /^[\w.-]{1,32}$/;
/** 32 bytes; `Buffer` would read past what is none of base64. */
const BASE64_KEY = /^[\w+/-]{43}=?$/;

interface Key {
  id: string;
  secret: Buffer;
}

/** The master keys, newest first: the first wraps what is new, every one unwraps. */
export interface KeyRing {
  readonly current: Key;
  byId(id: string): Key | undefined;
  readonly all: readonly Key[];
}

/**
 * Reads `id:base64,…`, each key 32 bytes.
 * @throws {Error} that says which key is wrong by its place, never what it holds.
 */
export function parseKeyRing(raw: string): KeyRing {
  const all = commaSeparated(raw).map(parseKey);
  const [current] = all;
  if (!current) throw new Error("needs at least one key, as id:base64");
  const keys = new Map(all.map((key) => [key.id, key]));
  if (keys.size !== all.length) throw new Error("names a key id twice");
  const secrets = new Set(all.map(({ secret }) => secret.toString("hex")));
  if (secrets.size !== all.length) throw new Error("holds the same key twice");
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

/** Keys for one purpose, of 32 bytes, one from each master key (RFC 5869): the current one makes, all check. */
export function deriveKeys(ring: KeyRing, purpose: string): { current: Buffer; all: Buffer[] } {
  const derive = ({ secret }: Key): Buffer =>
    Buffer.from(hkdfSync("sha256", secret, "", `leeway:${purpose}`, KEY_BYTES));
  return { current: derive(ring.current), all: ring.all.map(derive) };
}
