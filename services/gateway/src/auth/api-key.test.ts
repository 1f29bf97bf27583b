import { expect, test } from "bun:test";
import { crc32 } from "node:zlib";

import fc from "fast-check";

import { isHashOf, lookupOf, makeApiKey } from "./api-key.ts";

test("a key ends in the base62 CRC-32 of the rest, and is hashed with SHA-256", () => {
  for (let round = 0; round < 50; round += 1) {
    const { key, lookup, hash } = makeApiKey();
    expect(key).toMatch(/^leeway_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/);
    expect(key.slice(7, 15)).toBe(lookup);
    expect(base62(key.slice(-6))).toBe(crc32(key.slice(0, -6)));
    expect(hash.toString("hex")).toBe(new Bun.CryptoHasher("sha256").update(key).digest("hex"));
  }
});

/** Reads a base62 number digit by digit, in the opposite direction of the code. */
function base62(text: string): number {
  const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  return Array.from(text).reduce((sum, digit) => sum * 62 + digits.indexOf(digit), 0);
}

test("a short checksum is padded with zeros", () => {
  const known = "leeway_00000000_";
  const body = findBody(known, (sum) => sum < 62 ** 5);
  const sum = crc32(known + body);
  let rest = sum;
  let digits = "";
  for (let place = 0; place < 6; place += 1) {
    digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  expect(digits.startsWith("0")).toBe(true);
  expect(lookupOf(known + body + digits)).toBe("00000000");
});

function findBody(prefix: string, fits: (sum: number) => boolean): string {
  for (let number = 0; ; number += 1) {
    const body = String(number).padStart(32, "0");
    if (fits(crc32(prefix + body))) return body;
  }
}

test("a key with any changed character is refused without a lookup", () => {
  const { key } = makeApiKey();
  fc.assert(
    fc.property(
      fc.nat(key.length - 1),
      fc.constantFrom("0", "A", "Z", "a", "z", "9", "_", "-"),
      (at, character) => {
        fc.pre(key[at] !== character);
        expect(lookupOf(key.slice(0, at) + character + key.slice(at + 1))).toBeUndefined();
      },
    ),
  );
});

test.each([
  "",
  "leeway_",
  "leeway_short_1",
  "LEEWAY_00000000_",
  `${makeApiKey().key}0`,
  ` ${makeApiKey().key}`,
])("%j isn't a key", (text) => expect(lookupOf(text)).toBeUndefined());

test("a hash matches only its own key", () => {
  const [one, other] = [makeApiKey(), makeApiKey()];
  expect(isHashOf(one.key, one.hash)).toBe(true);
  expect(isHashOf(other.key, one.hash)).toBe(false);
});
