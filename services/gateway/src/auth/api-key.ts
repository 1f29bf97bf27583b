import { randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

import { constantTimeEqual, sha256 } from "@leeway/shared/digest";

const PREFIX = "leeway_";
const LOOKUP_LENGTH = 8;
const SECRET_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const KEY = /^leeway_([0-9A-Za-z]{8})_[0-9A-Za-z]{38}$/;

/** A key as it is made: its text is shown once, only its hash is kept. */
export interface NewApiKey {
  key: string;
  /** The part that it is found by; no secret. */
  lookup: string;
  hash: Buffer;
}

/** A new key: `leeway_`, 8 base62 characters, `_`, 32 more, and their CRC-32. */
export function makeApiKey(): NewApiKey {
  const lookup = randomText(LOOKUP_LENGTH);
  const unchecked = `${PREFIX}${lookup}_${randomText(SECRET_LENGTH)}`;
  const key = unchecked + checksum(unchecked);
  return { key, lookup, hash: sha256(key) };
}

/** Whether `token` is meant to be an API key, right or wrong. */
export function looksLikeApiKey(token: string): boolean {
  return token.startsWith(PREFIX);
}

/** The part that a key is found by; undefined when its form or its checksum is wrong. */
export function lookupOf(key: string): string | undefined {
  const [, lookup] = KEY.exec(key) ?? [];
  const genuine = checksum(key.slice(0, -CHECKSUM_LENGTH)) === key.slice(-CHECKSUM_LENGTH);
  return genuine ? lookup : undefined;
}

/** Whether `hash` is that of `key`. */
export function isHashOf(key: string, hash: Uint8Array): boolean {
  return constantTimeEqual(sha256(key), hash);
}

/** What may be shown of a key. */
export function shownPrefix(lookup: string): string {
  return PREFIX + lookup;
}

/** CRC-32 (IEEE) in base62, six characters. */
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
