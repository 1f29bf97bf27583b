import { expect, test } from "bun:test";

import type { Json } from "@leeway/shared/values/json";
import { diffLines } from "diff";
import fc from "fast-check";

import { fixed, noiseOf } from "./fix.fixture.ts";
import { literalOf, hclOf } from "./hcl/literal.ts";
import { bodyOf } from "./hcl/body.ts";
import { formatAll } from "./apply-fix.ts";
import { parseHcl } from "./hcl/parse-hcl.ts";

const name = fc.stringMatching(/^[a-z]{1,8}$/).map((text) => `n_${text}`);
const text = fc.string({ unit: "binary", maxLength: 10 });
/** Numbers have no exponents, which the grammar doesn't support. */
const leaf = fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null));
const { value: json } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(text, tie("value"), { maxKeys: 4 }),
  ),
}));
const attribute = fc.oneof(
  fc.tuple(name, json.map(hclOf)).map(([key, value]) => `${key} = ${value}`),
  name.map((key) => `${key} = <<-EOT\n    text { "\n  EOT`),
  name.map((key) => `${key} = [for x in var.xs : "\${x}!" if x != "}"] # "comment`),
  name.map((key) => `${key} = {\n    a = 1\n  }`),
);
const filler = fc.oneof(fc.constant(""), fc.constant('# a comment { [ "'), fc.constant("/* more\n of it */"));
/** Lines of a block, each attribute once. */
const lines = fc
  .array(fc.oneof({ weight: 3, arbitrary: attribute }, filler), { maxLength: 8 })
  .map((all) => [...new Map(all.map((line, index) => [/^n_\w+/.exec(line)?.[0] ?? index, line])).values()]);
const lifecycle = fc.constantFrom(
  "",
  "lifecycle {}",
  "lifecycle {\n    prevent_destroy = true\n  }",
  "lifecycle { ignore_changes = [tags] }",
  "lifecycle {\n    ignore_changes = [\n      tags, # theirs\n      name\n    ]\n  }",
);
const block = fc.tuple(lines, lifecycle).map(([body, tail]) => {
  const inner = [...body, ...(tail ? [tail] : [])].map((line) => `  ${line}\n`).join("");
  return `resource "aws_thing" "a" {\n${inner}}\n`;
});
const others = fc.constantFrom(
  "",
  "# top\n",
  "locals {\n a=1\n}\n",
  'resource "aws_thing" "b" {\n   size=1\n}\n',
);
const file = fc.tuple(others, block, others).map((parts) => parts.join(""));
const lineEnd = fc.constantFrom("\n", "\r\n");

const size = noiseOf("autoscaler_owned", "size");

test("for any file, the result parses, changes only intended lines and is stable", async () => {
  await fc.assert(
    fc.asyncProperty(file, lineEnd, async (text, end) => {
      const before = text.replaceAll("\n", end);
      const { fix, files } = await fixed(size, { "main.tf": before });
      const after = files["main.tf"] ?? "";
      expect(fix.verified.parsed).toBe(true);
      const taken = diffLines(before, after).filter(({ removed }) => removed);
      const removed = taken.flatMap(({ value }) => value.split("\n")).filter((line) => line.trim() !== "");
      // only a line that got the path, or that had to be opened, may change
      expect(removed.every((line) => /lifecycle|prevent_destroy|name|^\}|aws_thing/.test(line.trim()))).toBe(
        true,
      );
      expect(after.includes("\r\n") || end === "\n").toBe(true);
      expect(after.replaceAll(end, "").includes("\r")).toBe(false);
      expect((await fixed(size, { "main.tf": after })).fix.patches).toEqual([]);
    }),
    { numRuns: 150 },
  );
});

test("formatting is stable and changes only whitespace", async () => {
  await fc.assert(
    fc.asyncProperty(file, async (text) => {
      const once = await formatAll(text);
      expect(once.text.replaceAll(/\s/g, "")).toBe(text.replaceAll(/\s/g, ""));
      expect((await formatAll(once.text)).text).toBe(once.text);
    }),
    { numRuns: 150 },
  );
});

test("a written value is read back unchanged", async () => {
  await fc.assert(
    fc.asyncProperty(json, async (value) => {
      const syntax = await parseHcl(`x = ${hclOf(value)}\n`);
      const [found] = syntax ? bodyOf(syntax.root).attributes : [];
      expect(found && JSON.stringify(literalOf(found.value))).toBe(JSON.stringify(value));
      syntax?.free();
    }),
    { numRuns: 300 },
  );
});

test("any input gives a fix or an explanation without crashing", async () => {
  const bytes = fc.string({ unit: "binary", maxLength: 300 });
  await fc.assert(
    fc.asyncProperty(bytes, bytes, async (path, hcl) => {
      const noise = noiseOf("set_order", path, {
        addresses: [path, "aws_thing.a"],
        sample: { before: [hcl], after: hcl },
      });
      const { fix } = await fixed(noise, { "a.tf": hcl, "b.tf": `resource "aws_thing" "a" {\n${hcl}\n}\n` });
      expect(fix.patches.length > 0).toBe(fix.patches.length > 0 && fix.verified.parsed);
    }),
    { numRuns: 200 },
  );
});
