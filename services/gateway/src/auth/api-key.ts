import { randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

import { constantTimeEqual, sha256 } from "@leeway/shared/values/digest";

const PREFIX = "leeway_";
const LOOKUP_LENGTH = 8;
const SECRET_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const KEY = /^leeway_([0-9A-Za-z]{8})_[0-9A-Za-z]{38}$/;

/** New key. Its text is shown once; only its hash is stored. */
export interface NewApiKey {
  key: string;
  /** Part that identifies the key; it isn't secret. */
  lookup: string;
  hash: Buffer;
}

/** Creates a key: `leeway_`, 8 base62 characters, `_`, 32 more, and their CRC-32. */
export function makeApiKey(): NewApiKey {
  const lookup = randomText(LOOKUP_LENGTH);
  const unchecked = `${PREFIX}${lookup}_${randomText(SECRET_LENGTH)}`;
  const key = unchecked + checksum(unchecked);
  return { key, lookup, hash: sha256(key) };
}

/** Returns whether `token` looks like an API key, valid or not. */
export function looksLikeApiKey(token: string): boolean {
  return token.startsWith(PREFIX);
}

/** Returns the part that identifies a key; undefined if the key's form or checksum is wrong. */
export function lookupOf(key: string): string | undefined {
  const [, lookup] = KEY.exec(key) ?? [];
  const genuine = checksum(key.slice(0, -CHECKSUM_LENGTH)) === key.slice(-CHECKSUM_LENGTH);
  return genuine ? lookup : undefined;
}

/** Returns whether `hash` is the hash of `key`, in constant time. */
export function isHashOf(key: string, hash: Uint8Array): boolean {
  return constantTimeEqual(sha256(key), hash);
}

/** Returns the part of a key that may be shown. */
export function shownPrefix(lookup: string): string {
  return PREFIX + lookup;
}

/** Returns the CRC-32 (IEEE) in base62, six characters. */
function checksum(text: string): string {
  let rest = crc32(text);
  let digits = "";
  while (rest > 0) {
    digits = ALPHABET.charAt(rest % ALPHABET.length) + digits;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits.padStart(CHECKSUM_LENGTH, "0");
}

function randomText(length: number): string {
  return Array.from({ length }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join("");
}
