import { expect, test } from "bun:test";
import { renderToStaticMarkup } from "react-dom/server";

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
