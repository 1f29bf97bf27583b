import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import { deriveKeys, parseKeyRing } from "./keyring.ts";

const key = (fill: number): string => Buffer.alloc(32, fill).toString("base64");

describe("a key ring", () => {
  test("has its first key as the current one and finds each by its id", () => {
    const ring = parseKeyRing(` b:${key(2)} , a:${key(1)} `);
    expect(ring.current.id).toBe("b");
    expect(ring.byId("a")?.secret).toEqual(Buffer.alloc(32, 1));
    expect(ring.byId("c")).toBeUndefined();
    expect(ring.all.map(({ id }) => id)).toEqual(["b", "a"]);
  });

  test.each([
    ["", "needs at least one key as id:base64"],
    [" , ", "needs at least one key as id:base64"],
    [key(1), 'key 1 needs an id of letters, digits, "_", "." or "-"'],
    [`:${key(1)}`, 'key 1 needs an id of letters, digits, "_", "." or "-"'],
    [`a b:${key(1)}`, 'key 1 needs an id of letters, digits, "_", "." or "-"'],
    [`${"x".repeat(65)}:${key(1)}`, 'key 1 needs an id of letters, digits, "_", "." or "-"'],
    [`a:${key(1)},b:c2hvcnQ=`, "key 2 must be 32 bytes in base64"],
    [`a:${key(1)}AAAA`, "key 1 must be 32 bytes in base64"],
    [`a:*${key(1)}`, "key 1 must be 32 bytes in base64"],
    [`a:${"A".repeat(42)}=`, "key 1 must be 32 bytes in base64"],
    [`a:${key(1)},a:${key(2)}`, "contains a key id twice"],
    [`a:${key(1)},b:${key(1)}`, "contains the same key twice"],
  ])("refuses %p", (raw, message) => {
    expect(() => parseKeyRing(raw)).toThrow(message);
  });

  test("never shows the content of an invalid key", () => {
    fc.assert(
      fc.property(fc.base64String({ minLength: 12, maxLength: 40 }), (secret) => {
        let message = "";
        try {
          parseKeyRing(`id:${secret}`);
        } catch (error) {
          message = String(error);
        }
        expect(message).toContain("key 1");
        expect(message).not.toContain(secret);
      }),
    );
  });

  test("derives separate keys for each purpose, one per master key", () => {
    const ring = parseKeyRing(`b:${key(2)},a:${key(1)}`);
    const [cursor, other] = [deriveKeys(ring, "cursor"), deriveKeys(ring, "other")];
    expect(new Set([...cursor.all, ...other.all].map((derived) => derived.toString("hex"))).size).toBe(4);
    expect(cursor.all.findIndex((derived) => derived.equals(cursor.current))).toBe(0);
    expect(deriveKeys(ring, "cursor")).toEqual(cursor);
  });
});
