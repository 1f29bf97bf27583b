import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import { hostileText, HOSTILE, rendered, whatActs } from "./hostile.fixture.ts";
import { cell, code, codeBlock, prose, sentence, shorten, tame, visible } from "./markdown.ts";

const decoded = (html: string): string =>
  html.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&");

describe("external text", () => {
  test.each([
    [
      "plain text is unchanged",
      "It is 25% of them (e.g. R01), isn't it?",
      "It is 25% of them (e.g. R01), isn't it?",
    ],
    [
      "a name becomes code, without its punctuation",
      "Destroys aws_db_instance.orders, and more.",
      "Destroys `aws_db_instance.orders`, and more.",
    ],
    ["code stays as it is", "Destroys `aws_db_instance.orders`.", "Destroys `aws_db_instance.orders`."],
    ["a mention becomes code", "ask @admin", "ask `@admin`"],
    ["adjacent code becomes one piece", "say a_b = c_d now", "say `a_b = c_d` now"],
    ["a quick action becomes code", "/close", "`/close`"],
    ["direction marks are escaped", "a\u202Eb", String.raw`${"`"}a\u{202e}b${"`"}`],
    ["line breaks become blanks", "a\r\n\n b", "a b"],
    ["a possible commit reference becomes code", "of deadbeef12", "of `deadbeef12`"],
  ])("%s", (_fact, given, expected) => {
    expect(prose(given)).toBe(expected);
  });

  test("a sentence ends with exactly one full stop", () => {
    expect(sentence("It is gone")).toBe("It is gone.");
    expect(sentence("It is gone.")).toBe("It is gone.");
    expect(sentence("of `a.b`")).toBe("of `a.b`.");
  });

  test.each(HOSTILE.map((text) => [JSON.stringify(text), text]))("%s has no effect", (_name, text) => {
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
  ])("%s would have an effect without escaping", (text) => {
    expect(whatActs(rendered(text))).toBeDefined();
  });

  test("has no effect in any combination", () => {
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
  test("is shown unchanged", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const shown = visible(text);
        fc.pre(shown !== "" && shown.length <= 300);
        expect(decoded(rendered(code(text)))).toBe(`<p><code>${shown}</code></p>\n`);
      }),
    );
  });

  test("stays in its table cell", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const html = rendered(`| a | b |\n| --- | --- |\n| ${cell(code(text))} | end |`);
        expect(html.match(/<td>/gu)).toHaveLength(2);
        expect(html).toContain("<td>end</td>");
      }),
    );
  });

  test("keeps its start and end if it is long", () => {
    const long = `module.${"a".repeat(500)}.aws_instance.web`;
    expect(code(long)).toStartWith("`module.aaa");
    expect(code(long)).toEndWith(".aws_instance.web`");
    expect(code(long).length).toBeLessThan(310);
  });

  test("isn't cut inside a character", () => {
    expect(shorten("😀".repeat(10), 5)).toBe("😀😀…😀😀");
  });
});

describe("external Markdown", () => {
  test("keeps headings, lists, emphasis and code", () => {
    const text = "#### What\n\n- **critical** risk of `a_b.c`\n  1. *then* this\n> so";
    expect(tame(text)).toBe(text);
  });

  test("doesn't change when sanitized again", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const once = tame(text);
        expect(rendered(tame(once))).toBe(rendered(once));
      }),
    );
  });

  test("loses code blocks, rules and tables", () => {
    expect(rendered(tame("```\n/close\n```\n| a |\n|---|\n| b |"))).not.toMatch(/<pre|<table/u);
  });
});

test("a code block can't be ended by its text", () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      const html = rendered(`${codeBlock("diff", text)}\n\nend`);
      expect(html.match(/<pre>/gu)).toHaveLength(1);
      expect(html).toEndWith("</pre>\n<p>end</p>\n");
    }),
  );
});
