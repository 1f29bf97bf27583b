import { expect, test } from "bun:test";
import { renderToStaticMarkup } from "react-dom/server";

import { HOSTILE_TEXTS } from "../../../analysis/src/narrative/hostile-answers.fixture.ts";
import { Narrative } from "./narrative.tsx";

test.each(["platform", "byok"] as const)("a model's text (%s) is in a closed, labelled panel", (source) => {
  const narrative = { text: "Take a snapshot.", source, model: "gpt-x" };
  const html = renderToStaticMarkup(<Narrative narrative={narrative} />);
  expect(html).toMatch(
    /^<details class="[^"]*"><summary[^]*Written by a model; levels come from rules<\/summary>/,
  );
  expect(html).toEndWith("</details>");
  expect(html.indexOf("Take a snapshot.")).toBeGreaterThan(html.indexOf("</summary>"));
  expect(html).toContain(">gpt-x</code>");
});

test("a template's text is visible, with the reason why no model wrote", () => {
  const narrative = { text: "It is **bad**.", source: "template" as const, note: "no model is configured" };
  const html = renderToStaticMarkup(<Narrative narrative={narrative} />);
  expect(html).not.toContain("<details");
  expect(html).toContain("<strong>bad</strong>");
  expect(html).toContain("Not written by a model: no model is configured");
});

function panelOf(text: string): string {
  return renderToStaticMarkup(<Narrative narrative={{ text, source: "byok", model: "gpt-x" }} />);
}

test.each(Object.entries(HOSTILE_TEXTS))("a model's text with %s stays in its panel", (_, text) => {
  const [before = "", after = ""] = panelOf("words").split("<p>words</p>");
  const html = panelOf(text);
  expect(html).toStartWith(before);
  expect(html).toEndWith(after);
  const words = html.slice(before.length, -after.length);
  const plain = words.replaceAll(/<\/?(?:p|ul|ol|li|code|strong)(?: (?:class|start)="[^"]*")*>/gu, "");
  expect(plain).not.toContain("<");
});
