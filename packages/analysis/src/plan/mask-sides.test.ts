import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import type { Json, JsonObject } from "@leeway/shared/values/json";
import { REDACTED } from "@leeway/shared/security/redaction/redact";
import { maskSides } from "./mask-sides.ts";
import { CANARY } from "./plan.fixture.ts";

const OPEN = { note: CANARY };

describe("a masked value isn't sent:", () => {
  test.each<[string, JsonObject, JsonObject]>([
    [
      "an attribute",
      { after: { note: CANARY, size: 1 }, after_sensitive: { note: true } },
      { after: { note: REDACTED, size: 1 } },
    ],
    [
      "a whole resource except its attribute names",
      { before: { note: CANARY, pin: null }, after: null, before_sensitive: true },
      { before: { note: REDACTED, pin: null }, after: null },
    ],
    [
      "a whole resource whose mask has the wrong type",
      { after: OPEN, after_sensitive: [true] },
      { after: { note: REDACTED } },
    ],
    ["a resource that isn't an object", { after: CANARY, after_sensitive: true }, { after: REDACTED }],
    ["a number", { after: { pin: 1234 }, after_sensitive: { pin: true } }, { after: { pin: REDACTED } }],
    ["a boolean", { after: { on: true }, after_sensitive: { on: true } }, { after: { on: REDACTED } }],
    [
      "a block",
      { after: { block: [OPEN, OPEN] }, after_sensitive: { block: true } },
      { after: { block: REDACTED } },
    ],
    [
      "one item of a list",
      { after: { list: ["a", CANARY] }, after_sensitive: { list: [false, true] } },
      { after: { list: ["a", REDACTED] } },
    ],
    [
      "an attribute of a nested block",
      { after: { block: [{ note: CANARY, size: 1 }] }, after_sensitive: { block: [{ note: true }] } },
      { after: { block: [{ note: REDACTED, size: 1 }] } },
    ],
    [
      "a formerly sensitive value",
      { before: OPEN, after: OPEN, before_sensitive: { note: true }, after_sensitive: {} },
      { before: { note: REDACTED }, after: { note: REDACTED } },
    ],
    [
      "a newly sensitive value",
      {
        before: { list: [OPEN] },
        after: { list: [OPEN, OPEN] },
        before_sensitive: false,
        after_sensitive: { list: [{ note: true }, {}] },
      },
      { before: { list: [{ note: REDACTED }] }, after: { list: [{ note: REDACTED }, OPEN] } },
    ],
    [
      "a list longer than its mask",
      { after: { list: ["a", CANARY] }, after_sensitive: { list: [true] } },
      { after: { list: REDACTED } },
    ],
    [
      "a set whose mask doesn't identify the member",
      { after: { set: [{ k: CANARY }] }, after_sensitive: { set: [{}, { k: true }] } },
      { after: { set: REDACTED } },
    ],
    [
      "an item that the other side's mask marks at another index",
      {
        before: { list: ["a", CANARY] },
        after: { list: [CANARY] },
        before_sensitive: { list: [false, true] },
      },
      { before: { list: ["a", REDACTED] }, after: { list: [REDACTED] } },
    ],
    [
      "in a list of lists, an item marked at another index on the other side",
      {
        before: {
          list: [
            [CANARY, "a"],
            ["a", "b", CANARY],
          ],
        },
        after: { list: [["x", CANARY]] },
        before_sensitive: {
          list: [
            [true, false],
            [false, false, true],
          ],
        },
      },
      {
        before: {
          list: [
            [REDACTED, "a"],
            ["a", "b", REDACTED],
          ],
        },
        after: { list: [REDACTED] },
      },
    ],
    [
      "a marked value in one of several blocks when a block is added",
      {
        before: { block: [{ note: CANARY, size: 1 }] },
        after: {
          block: [
            { note: CANARY, size: 1 },
            { note: CANARY, size: 2 },
          ],
        },
        before_sensitive: { block: [{ note: true }] },
        after_sensitive: { block: [{ note: true }, { note: true }] },
      },
      {
        before: { block: [{ note: REDACTED, size: 1 }] },
        after: {
          block: [
            { note: REDACTED, size: 1 },
            { note: REDACTED, size: 2 },
          ],
        },
      },
    ],
    [
      "a value with a mark that isn't a boolean",
      { after: { note: CANARY }, after_sensitive: { note: "yes" } },
      { after: { note: REDACTED } },
    ],
    [
      "a value whose mask has the wrong type",
      { after: { note: CANARY }, after_sensitive: { note: { inner: true } } },
      { after: { note: REDACTED } },
    ],
    [
      "both sides, with masks of the wrong type",
      {
        before: { a: [CANARY] },
        after: { a: { b: CANARY } },
        before_sensitive: { a: [true] },
        after_sensitive: { a: { b: true } },
      },
      { before: { a: REDACTED }, after: { a: REDACTED } },
    ],
    [
      "a member called __proto__",
      { after: JSON.parse(`{"__proto__":"${CANARY}"}`), after_sensitive: JSON.parse('{"__proto__":true}') },
      { after: JSON.parse(`{"__proto__":"${REDACTED}"}`) },
    ],
  ])("%s", (_, change, sent) => {
    expect(maskSides(change)).toEqual(sent);
  });
});

describe("an unmasked value is sent unless it looks secret:", () => {
  test.each<[string, JsonObject, JsonObject]>([
    ["a plain value", { after: OPEN, after_sensitive: {} }, { after: OPEN }],
    [
      "a mask without marks",
      {
        before: { list: [1] },
        after: { list: [OPEN, 1] },
        after_sensitive: { list: [{}], set: [false], a: {} },
      },
      { before: { list: [1] }, after: { list: [OPEN, 1] } },
    ],
    [
      "null under a mark",
      { after: { note: null }, after_sensitive: { note: true } },
      { after: { note: null } },
    ],
    [
      "a change in an old format, without masks",
      { before: null, after: OPEN },
      { before: null, after: OPEN },
    ],
    [
      "a password recognized by its name",
      { after: { master_password: CANARY } },
      { after: { master_password: REDACTED } },
    ],
    [
      "a password in a URL",
      { after: { url: `postgres://app:${CANARY}@db/app` } },
      { after: { url: `postgres://app:${REDACTED}@db/app` } },
    ],
    [
      "a member named like a built-in",
      { after: { toString: "x" }, after_sensitive: { a: true } },
      { after: { toString: "x" } },
    ],
  ])("%s", (_, change, sent) => {
    expect(maskSides(change)).toEqual(sent);
  });
});

describe("with a mask anywhere", () => {
  const names = fc.constantFrom("a", "b", "__proto__");
  const { marked } = fc.letrec<{ marked: [Json, Json] }>((tie) => ({
    // Generates a value with its mask: the canary is exactly at the marked places.
    marked: fc.oneof(
      { maxDepth: 5 },
      fc.constantFrom<[Json, Json]>(
        ["open", false],
        [CANARY, true],
        [{ x: [CANARY] }, true],
        [null, true],
        [7, false],
      ),
      fc
        .array(tie("marked"), { maxLength: 3 })
        .map((items): [Json, Json] => [items.map(([value]) => value), items.map(([, mask]) => mask)]),
      fc
        .dictionary(names, tie("marked"), { maxKeys: 3 })
        .map((members): [Json, Json] => [
          Object.fromEntries(Object.entries(members).map(([name, [value]]) => [name, value])),
          Object.fromEntries(Object.entries(members).map(([name, [, mask]]) => [name, mask])),
        ]),
    ),
  }));

  test("no masked value is sent", () => {
    fc.assert(
      fc.property(marked, marked, ([before, before_sensitive], [after, after_sensitive]) => {
        const sent = maskSides({ before, after, before_sensitive, after_sensitive });
        expect(JSON.stringify(sent)).not.toContain(CANARY);
      }),
    );
  });

  test("every unmasked value of a created resource is sent", () => {
    fc.assert(
      fc.property(marked, ([after, after_sensitive]) => {
        const sent = maskSides({ before: null, after, before_sensitive: false, after_sensitive });
        expect(JSON.stringify(sent).split("open").length).toBe(JSON.stringify(after).split("open").length);
      }),
    );
  });
});
