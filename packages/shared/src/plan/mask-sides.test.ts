import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import type { Json, JsonObject } from "../json.ts";
import { REDACTED } from "../redaction/redact.ts";
import { maskSides } from "./mask-sides.ts";
import { CANARY } from "./plan.fixture.ts";

const OPEN = { note: CANARY };

describe("what a mask marks doesn't leave the machine", () => {
  test.each<[string, JsonObject, JsonObject]>([
    [
      "an attribute",
      { after: { note: CANARY, size: 1 }, after_sensitive: { note: true } },
      { after: { note: REDACTED, size: 1 } },
    ],
    [
      "a whole resource, but the names of its attributes",
      { before: { note: CANARY, pin: null }, after: null, before_sensitive: true },
      { before: { note: REDACTED, pin: null }, after: null },
    ],
    [
      "a whole resource whose mask is of another kind",
      { after: OPEN, after_sensitive: [true] },
      { after: { note: REDACTED } },
    ],
    ["a resource that is no object", { after: CANARY, after_sensitive: true }, { after: REDACTED }],
    ["a number", { after: { pin: 1234 }, after_sensitive: { pin: true } }, { after: { pin: REDACTED } }],
    ["a switch", { after: { on: true }, after_sensitive: { on: true } }, { after: { on: REDACTED } }],
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
      "what was sensitive before, and is marked no more",
      { before: OPEN, after: OPEN, before_sensitive: { note: true }, after_sensitive: {} },
      { before: { note: REDACTED }, after: { note: REDACTED } },
    ],
    [
      "what becomes sensitive",
      {
        before: { list: [OPEN] },
        after: { list: [OPEN, OPEN] },
        before_sensitive: false,
        after_sensitive: { list: [{ note: true }, {}] },
      },
      { before: { list: [{ note: REDACTED }] }, after: { list: [{ note: REDACTED }, OPEN] } },
    ],
    [
      "a list that is longer than its mask",
      { after: { list: ["a", CANARY] }, after_sensitive: { list: [true] } },
      { after: { list: REDACTED } },
    ],
    [
      "a set whose mask doesn't tell which member is meant",
      { after: { set: [{ k: CANARY }] }, after_sensitive: { set: [{}, { k: true }] } },
      { after: { set: REDACTED } },
    ],
    [
      "an item that the other side's mask marks somewhere else",
      {
        before: { list: ["a", CANARY] },
        after: { list: [CANARY] },
        before_sensitive: { list: [false, true] },
      },
      { before: { list: ["a", REDACTED] }, after: { list: [REDACTED] } },
    ],
    [
      "in a list of lists, an item that the other side's mask marks somewhere else",
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
      "of blocks that one is added to, what is marked in one of them",
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
      "what a mark that is no boolean stands on",
      { after: { note: CANARY }, after_sensitive: { note: "yes" } },
      { after: { note: REDACTED } },
    ],
    [
      "a value of another kind than its mask",
      { after: { note: CANARY }, after_sensitive: { note: { inner: true } } },
      { after: { note: REDACTED } },
    ],
    [
      "both sides, each by a mask of another kind",
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

describe("what no mask marks leaves unless it shows that it is secret", () => {
  test.each<[string, JsonObject, JsonObject]>([
    ["an open value", { after: OPEN, after_sensitive: {} }, { after: OPEN }],
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
    ["a change of old formats, without masks", { before: null, after: OPEN }, { before: null, after: OPEN }],
    [
      "a password by its name",
      { after: { master_password: CANARY } },
      { after: { master_password: REDACTED } },
    ],
    [
      "a password in an address",
      { after: { url: `postgres://app:${CANARY}@db/app` } },
      { after: { url: `postgres://app:${REDACTED}@db/app` } },
    ],
    [
      "a member that every object has",
      { after: { toString: "x" }, after_sensitive: { a: true } },
      { after: { toString: "x" } },
    ],
  ])("%s", (_, change, sent) => {
    expect(maskSides(change)).toEqual(sent);
  });
});

describe("wherever a mask marks something", () => {
  const names = fc.constantFrom("a", "b", "__proto__");
  const { marked } = fc.letrec<{ marked: [Json, Json] }>((tie) => ({
    // A value and its mask, made together: the canary stands exactly where the mask marks.
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

  test("nothing of what it marks is sent", () => {
    fc.assert(
      fc.property(marked, marked, ([before, before_sensitive], [after, after_sensitive]) => {
        const sent = maskSides({ before, after, before_sensitive, after_sensitive });
        expect(JSON.stringify(sent)).not.toContain(CANARY);
      }),
    );
  });

  test("all else of what is created is sent", () => {
    fc.assert(
      fc.property(marked, ([after, after_sensitive]) => {
        const sent = maskSides({ before: null, after, before_sensitive: false, after_sensitive });
        expect(JSON.stringify(sent).split("open").length).toBe(JSON.stringify(after).split("open").length);
      }),
    );
  });
});
