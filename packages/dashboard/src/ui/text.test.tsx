import { expect, test } from "bun:test";
import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";

import { Code, Diff } from "./code.tsx";
import { Check } from "./field.tsx";
import { JsonTree } from "./json.tsx";
import { OutLink } from "./out-link.tsx";
import { Prose } from "./prose.tsx";
import { Day } from "./time.tsx";
import { ValueChange } from "./value-change.tsx";

const SCRIPT = `<script>alert(1)</script><img src=x onerror=alert(1)>`;

const changeOf = (before: unknown, after: unknown) => ({
  path: ["policy"],
  before,
  after,
  before_sensitive: false,
  after_sensitive: false,
  unknown: false,
});

test.each<[string, ReactElement]>([
  ["a diff", <Diff key="diff" title={SCRIPT} diff={`+${SCRIPT}\n-old`} />],
  ["code", <Code key="code" title={SCRIPT} code={SCRIPT} />],
  ["a property", <JsonTree key="json" value={{ [SCRIPT]: SCRIPT }} redactions={new Set()} />],
  ["a narrative", <Prose key="prose" markdown={`# ${SCRIPT}\n\n- **${SCRIPT}** \`${SCRIPT}\``} />],
  [
    "an address",
    <OutLink key="link" to="javascript:alert(1)">
      {SCRIPT}
    </OutLink>,
  ],
  ["a value that changed", <ValueChange key="value" change={changeOf(SCRIPT, `${SCRIPT}2`)} />],
  ["a label", <Check key="check" label={SCRIPT} onChange={() => undefined} />],
])("markup in %s shows as text", (_, element) => {
  const html = renderToStaticMarkup(element);
  expect(html).toContain("&lt;script&gt;");
  expect(html).not.toContain("<script");
  expect(html).not.toContain("<img");
});

test("marks redacted values at any depth instead of showing their placeholder", () => {
  const value = { "a/b": { password: "***" }, list: ["***", "kept"] };
  const html = renderToStaticMarkup(
    <JsonTree value={value} redactions={new Set(["/a~1b/password", "/list/0"])} />,
  );
  expect(html.match(/redacted/g)).toHaveLength(2);
  expect(html).toContain("kept");
  expect(html).not.toContain("***");
});

test("added and removed lines differ without colour", () => {
  const html = renderToStaticMarkup(<Diff title="main.tf" diff={"@@ -1 +1 @@\n-a = 1\n+a = 2\n"} />);
  expect(html).toContain(">-a = 1<");
  expect(html).toContain(">+a = 2<");
});

test("an address that isn't a web page isn't a link", () => {
  expect(renderToStaticMarkup(<OutLink to="javascript:alert(1)">there</OutLink>)).not.toContain("href");
  expect(renderToStaticMarkup(<OutLink to="https://example.com">there</OutLink>)).toContain("href");
});

test("a sensitive value is never shown", () => {
  const change = { ...changeOf("hunter2", "hunter3"), before_sensitive: true, after_sensitive: true };
  expect(renderToStaticMarkup(<ValueChange change={change} />)).not.toContain("hunter");
});

test("renders emphasis, code and lists of a narrative", () => {
  const html = renderToStaticMarkup(<Prose markdown={"It is **bad**.\n\n- `a.b`\n- two\n  lines"} />);
  expect(html).toContain("<strong>bad</strong>");
  expect(html.match(/<li>/g)).toHaveLength(2);
  expect(html).toContain("two lines");
});

test("a numbered list keeps its numbers", () => {
  const html = renderToStaticMarkup(<Prose markdown={"3. first\n4. second"} />);
  expect(html).toContain('<ol start="3"');
  expect(html.match(/<li>/g)).toHaveLength(2);
});

test("shows an expiry as a date, with the exact UTC time in the tooltip", () => {
  const html = renderToStaticMarkup(<Day at="2026-12-31T23:30:00Z" />);
  expect(html).toContain(">31 Dec 2026<");
  expect(html).toContain("31 Dec 2026, 23:30:00 UTC");
});
