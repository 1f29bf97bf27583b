import { describe, expect, test } from "bun:test";

import { judge, shrink } from "./allowed.ts";
import { proseFindings, type Finding } from "./rules.ts";

const LONG = Array.from({ length: 31 }, () => "word").join(" ");
const found = (path: string, source: string) =>
  proseFindings(path, source).map(({ rule, line }) => `${line} ${rule}`);

describe("in TypeScript", () => {
  test.each([
    ["/** What a cursor is good for. */", ["1 opening"]],
    ["/** The uses of a cursor. Of each one only. */", ["1 opening"]],
    ["/**\n * Stores a plan.\n * Has it deleted later.\n */", ["2 opening"]],
    ["/**\n * Stores a plan.\n * @returns What was stored\n */", ["3 opening"]],
    ["call(); // Those of webhooks", ["1 opening"]],
    ["/** What does this cost? */", []],
    ["/** Whatever the sender wrote. */", []],
    ['const url = "https://example.com/What";', []],
    [`// ${LONG}`, ["1 length"]],
    ["/**\n * Some words that\n * go on in another line.\n */", []],
    ["const told = tell(); // shows it", ["1 word", "1 word"]],
    ['test("is reported anew", run);', ["1 word"]],
    ["const untold = 1;", []],
  ])("%s", (source, expected) => {
    expect(found("a.ts", source)).toEqual(expected);
  });
});

describe("in Markdown", () => {
  test.each([
    ["# What comes in\n\nA delivery.", []],
    ["Who may do it.", ["1 opening"]],
    ["- one\n- Whoever comes", ["2 opening", "2 word"]],
    ["```sh\n# What it does\n```", []],
    ["| What | Who |\n|---|---|", []],
    [`See [the \`a b c\` page](https://example.com/a/b).\n${LONG}`, ["1 length"]],
  ])("%s", (source, expected) => {
    expect(found("a.md", source)).toEqual(expected);
  });
});

describe("the list of allowed findings", () => {
  const word: Finding = { rule: "word", line: 1, message: 'says "told"' };

  test("allows a file its former number of findings and no more", () => {
    expect(judge(new Map([["a.ts", [word]]]), { "a.ts": { word: 1 } })).toEqual({ over: [], under: [] });
    expect(judge(new Map([["a.ts", [word, word]]]), { "a.ts": { word: 1 } }).over).toHaveLength(2);
    expect(judge(new Map([["new.ts", [word]]]), {}).over).toEqual([["new.ts", word]]);
  });

  test("must shrink when a file improves or is deleted", () => {
    const allowed = { "a.ts": { word: 2 }, "gone.ts": { length: 1 } };
    const now = new Map([["a.ts", [word]]]);
    expect(judge(now, allowed).under.toSorted()).toEqual(["a.ts", "gone.ts"]);
    expect(shrink(now, allowed)).toEqual({ "a.ts": { word: 1 } });
  });

  test("never grows", () => {
    const now = new Map([
      ["a.ts", [word, word]],
      ["b.ts", [word]],
    ]);
    expect(shrink(now, { "a.ts": { word: 1 } })).toEqual({ "a.ts": { word: 1 } });
  });
});
