import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import { createCursors, type CursorScope } from "./cursor.ts";
import { parseKeyRing } from "./encryption/keyring.ts";

const key = (fill: number): string => Buffer.alloc(32, fill).toString("base64");
const OLD = parseKeyRing(`k1:${key(1)}`);
const BOTH = parseKeyRing(`k2:${key(2)},k1:${key(1)}`);
const NEW = parseKeyRing(`k2:${key(2)}`);

const cursors = createCursors(OLD);
const SCOPE: CursorScope = { collection: "resources", orgId: "org", filters: { account_id: "a", limit: 5 } };
const invalid = expect.objectContaining({ code: "invalid_cursor" });

function refusal(scope: CursorScope, cursor: string, of = cursors): unknown {
  try {
    return of.read(scope, cursor);
  } catch (error) {
    return error;
  }
}

const scope = fc.record({
  collection: fc.string(),
  orgId: fc.string(),
  filters: fc.dictionary(
    fc.string(),
    fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(undefined)),
    {
      noNullPrototype: true,
    },
  ),
});

describe("a cursor", () => {
  test("returns the key it was created with", () => {
    fc.assert(
      fc.property(scope, fc.string({ unit: "grapheme" }), (scope, lastKey) => {
        const cursor = cursors.write(scope, lastKey);
        expect(cursors.read(scope, cursor)).toBe(lastKey);
        expect(cursor).toMatch(/^[\w.-]+$/);
      }),
    );
  });

  test("is missing on the first page", () => {
    expect(cursors.read(SCOPE, undefined)).toBeUndefined();
  });

  test("doesn't depend on the order of filters or on absent ones", () => {
    const cursor = cursors.write({ ...SCOPE, filters: { b: 1, a: 2, c: undefined } }, "x");
    expect(cursors.read({ ...SCOPE, filters: { a: 2, b: 1 } }, cursor)).toBe("x");
  });

  test.each<[string, Partial<CursorScope>]>([
    ["another list", { collection: "scans" }],
    ["another organization", { orgId: "gro" }],
    ["another filter", { filters: { account_id: "b", limit: 5 } }],
    ["one filter less", { filters: { account_id: "a" } }],
    ["one filter more", { filters: { ...SCOPE.filters, q: "x" } }],
    ["a filter of another type", { filters: { account_id: "a", limit: "5" } }],
    ["a renamed filter", { filters: { account: "a", limit: 5 } }],
  ])("is refused for %s", (_, other) => {
    expect(refusal({ ...SCOPE, ...other }, cursors.write(SCOPE, "x"))).toEqual(invalid);
  });

  test("is refused with any character changed, removed or added", () => {
    const cursor = cursors.write(SCOPE, "0b6ee3b1-3b64-4d7c-9a39-6a3b7c1d2e3f");
    for (let at = 0; at <= cursor.length; at += 1) {
      const [before, after] = [cursor.slice(0, at), cursor.slice(at + 1)];
      const other = cursor[at] === "A" ? "B" : "A";
      for (const changed of [before + after, before + other + after, `${before}A${cursor.slice(at)}`]) {
        if (changed !== cursor) expect(refusal(SCOPE, changed)).toEqual(invalid);
      }
    }
  });

  test("can't be forged", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^1\.[\w-]{0,40}\.[\w-]{22}$/)), (cursor) => {
        expect(refusal(SCOPE, cursor)).toEqual(invalid);
      }),
    );
  });

  test("is valid while its master key is in the ring, even if it isn't current", () => {
    const cursor = cursors.write(SCOPE, "x");
    expect(createCursors(BOTH).read(SCOPE, cursor)).toBe("x");
    expect(refusal(SCOPE, cursor, createCursors(NEW))).toEqual(invalid);
    expect(createCursors(NEW).read(SCOPE, createCursors(BOTH).write(SCOPE, "y"))).toBe("y");
  });
});
