import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import { hostileText, HOSTILE, rendered, whatActs } from "./hostile.fixture.ts";
import { cell, code, codeBlock, prose, sentence, shorten, tame, visible } from "./markdown.ts";

const decoded = (html: string): string =>
  html.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&");

describe("words from outside", () => {
  test.each([
    [
      "plain words stay as they are",
      "It is 25% of them (e.g. R01), isn't it?",
      "It is 25% of them (e.g. R01), isn't it?",
    ],
    [
      "a name becomes code, its punctuation stays",
      "Destroys aws_db_instance.orders, and more.",
      "Destroys `aws_db_instance.orders`, and more.",
    ],
    ["code stays code", "Destroys `aws_db_instance.orders`.", "Destroys `aws_db_instance.orders`."],
    ["a mention becomes code", "ask @admin", "ask `@admin`"],
    ["words of code that follow each other are one piece", "say a_b = c_d now", "say `a_b = c_d` now"],
    ["a quick action becomes code", "/close", "`/close`"],
    ["marks of direction are spelled out", "a\u202Eb", String.raw`${"`"}a\u{202e}b${"`"}`],
    ["line ends are blanks", "a\r\n\n b", "a b"],
    ["a commit that could be linked becomes code", "of deadbeef12", "of `deadbeef12`"],
  ])("%s", (_fact, given, expected) => {
    expect(prose(given)).toBe(expected);
  });

  test("a sentence ends with a full stop, and only one", () => {
    expect(sentence("It is gone")).toBe("It is gone.");
    expect(sentence("It is gone.")).toBe("It is gone.");
    expect(sentence("of `a.b`")).toBe("of `a.b`.");
  });

  test.each(HOSTILE.map((text) => [JSON.stringify(text), text]))("%s can do nothing", (_name, text) => {
    for (const markdown of [
      prose(text),
      `- ${prose(text)}`,
      code(text),
      tame(text),
      `| a |\n| --- |\n| ${cell(code(text))} |`,
    ])
      expect(whatActs(rendered(markdown))).toBeUndefined();
  });

  test.each([
    "@admin",
    "#1",
    "www.evil.example",
    "<b>x</b>",
    "[a](b)",
    "![a](b)",
    "a\n\n/close",
    "a@evil.example",
  ])("%s would do something by itself", (text) => {
    expect(whatActs(rendered(text))).toBeDefined();
  });

  test("whatever they are put together of, they can do nothing", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        for (const markdown of [`- ${prose(text)}`, code(text), tame(text), codeBlock("diff", text)])
          expect(whatActs(rendered(markdown))).toBeUndefined();
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("a name as code", () => {
  test("reads as it was, whatever it holds", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const shown = visible(text);
        fc.pre(shown !== "" && shown.length <= 300);
        expect(decoded(rendered(code(text)))).toBe(`<p><code>${shown}</code></p>\n`);
      }),
    );
  });

  test("stays in its cell of a table", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const html = rendered(`| a | b |\n| --- | --- |\n| ${cell(code(text))} | end |`);
        expect(html.match(/<td>/gu)).toHaveLength(2);
        expect(html).toContain("<td>end</td>");
      }),
    );
  });

  test("keeps its beginning and its end when it is long", () => {
    const long = `module.${"a".repeat(500)}.aws_instance.web`;
    expect(code(long)).toStartWith("`module.aaa");
    expect(code(long)).toEndWith(".aws_instance.web`");
    expect(code(long).length).toBeLessThan(310);
  });

  test("isn't cut within a character", () => {
    expect(shorten("😀".repeat(10), 5)).toBe("😀😀…😀😀");
  });
});

describe("Markdown from outside", () => {
  test("keeps headings, lists, stress and code", () => {
    const text = "#### What\n\n- **critical** risk of `a_b.c`\n  1. *then* this\n> so";
    expect(tame(text)).toBe(text);
  });

  test("doesn't change when it is tamed again", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const once = tame(text);
        expect(rendered(tame(once))).toBe(rendered(once));
      }),
    );
  });

  test("loses its blocks of code, its rules and its tables", () => {
    expect(rendered(tame("```\n/close\n```\n| a |\n|---|\n| b |"))).not.toMatch(/<pre|<table/u);
  });
});

test("a block of code ends where we end it", () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      const html = rendered(`${codeBlock("diff", text)}\n\nend`);
      expect(html.match(/<pre>/gu)).toHaveLength(1);
      expect(html).toEndWith("</pre>\n<p>end</p>\n");
    }),
  );
});
