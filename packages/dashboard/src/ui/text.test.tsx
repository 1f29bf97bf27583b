import { expect, test } from "bun:test";
import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";

import { Code, Diff } from "./code.tsx";
import { Check } from "./field.tsx";
import { JsonTree } from "./json.tsx";

const SCRIPT = `<script>alert(1)</script><img src=x onerror=alert(1)>`;

test.each<[string, ReactElement]>([
  ["a diff", <Diff key="diff" title={SCRIPT} diff={`+${SCRIPT}\n-old`} />],
  ["code", <Code key="code" title={SCRIPT} code={SCRIPT} />],
  ["a property", <JsonTree key="json" value={{ [SCRIPT]: SCRIPT }} redactions={new Set()} />],
  ["a label", <Check key="check" label={SCRIPT} onChange={() => undefined} />],
])("markup in %s shows as text", (_, element) => {
  const html = renderToStaticMarkup(element);
  expect(html).toContain("&lt;script&gt;");
  expect(html).not.toContain("<script");
  expect(html).not.toContain("<img");
});

test("what was redacted is shown as redacted, wherever it lies, and not its stand-in", () => {
  const value = { "a/b": { password: "***" }, list: ["***", "kept"] };
  const html = renderToStaticMarkup(
    <JsonTree value={value} redactions={new Set(["/a~1b/password", "/list/0"])} />,
  );
  expect(html.match(/redacted/g)).toHaveLength(2);
  expect(html).toContain("kept");
  expect(html).not.toContain("***");
});

test("an added and a removed line are told apart without colour", () => {
  const html = renderToStaticMarkup(<Diff title="main.tf" diff={"@@ -1 +1 @@\n-a = 1\n+a = 2\n"} />);
  expect(html).toContain(">-a = 1<");
  expect(html).toContain(">+a = 2<");
});
