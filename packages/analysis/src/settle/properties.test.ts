import { expect, test } from "bun:test";

import type { Json } from "@leeway/shared/values/json";
import fc from "fast-check";

import { parseHcl } from "../fix/hcl/parse-hcl.ts";
import { accepting, attribute, settled } from "./settle.fixture.ts";

const SECRET = "canary-4242";
const word = fc.stringMatching(/^[a-z]{1,6}$/);
const text = fc.string({ unit: "binary", maxLength: 12 });
const scalar: fc.Arbitrary<Json> = fc.oneof(text, fc.integer(), fc.boolean());
const value: fc.Arbitrary<Json> = fc.oneof(
  scalar,
  fc.array(fc.oneof(word, fc.integer()), { maxLength: 4 }),
  fc.constant(null),
  fc.dictionary(word, text, { maxKeys: 3 }),
);
const step = fc.oneof(fc.constantFrom("size", "tags", "rule", "name", "ids"), word, fc.nat(2));
const path = fc.tuple(
  fc.constantFrom("size", "tags", "rule", "name", "ids"),
  fc.array(step, { maxLength: 2 }),
);
const change = fc
  .tuple(path, value, value)
  .map(([[first, rest], before, after]) => attribute([first, ...rest], before, after));

const line = fc.constantFrom(
  "  size = 3 # three",
  '  name = "a" // b',
  "  size = local.size",
  '  tags = { Team = "a", b = 1 }',
  '  tags = {\n    Team = "a" # owner\n    /* more */\n  }',
  '  tags = merge(local.tags, { Team = "a" })',
  '  ids = [\n    "a", # one\n    "b"\n  ]',
  '  ids = ["b", "a",]',
  "  rule {\n    size = 1\n  }",
  "  rule { size = 2 }",
  '  dynamic "rule" {\n    for_each = [1]\n    content {}\n  }',
  "  name = <<-EOT\n    text ${\n  EOT",
  "  # alone",
  "",
);
const block = fc
  .array(line, { maxLength: 6 })
  .map((lines) => `resource "aws_thing" "a" {\n${lines.join("\n")}\n}\n`);
const others = fc.constantFrom(
  "",
  "locals {\n  size = 3\n  tags = {}\n}\n",
  "# only a comment",
  "x = [",
  'resource "aws_thing" "a" {}\n',
);
const file = fc.tuple(block, others).map((parts) => parts.join(""));
const lineEnd = fc.constantFrom("\n", "\r\n");

async function commentsIn(hcl: string): Promise<string[]> {
  const syntax = await parseHcl(hcl);
  if (!syntax) throw new Error(`this can't be parsed:\n${hcl}`);
  const comments = syntax.root.descendantsOfType("comment").map((comment) => comment?.text ?? "");
  syntax.free();
  return comments;
}

test("whatever a change says, the file parses, comments stay, and a second time changes nothing", async () => {
  await fc.assert(
    fc.asyncProperty(
      file,
      lineEnd,
      fc.array(change, { minLength: 1, maxLength: 3 }),
      async (hcl, end, changes) => {
        const before = hcl.replaceAll("\n", end);
        const accepted = [accepting(changes, { settable: ["size", "name", "tags", "ids", "rule.size"] })];
        const { files, outcomes, patch } = await settled({ "main.tf": before }, accepted);
        const after = files["main.tf"] ?? "";
        if (outcomes[0]?.kind !== "changed") return expect(patch).toBe("");
        expect(await commentsIn(after)).toEqual(await commentsIn(before));
        const again = await settled(files, accepted);
        expect(again).toMatchObject({ patch: "", outcomes: [{ kind: "already" }] });
      },
    ),
    { numRuns: 600 },
  );
});

test("a secret never reaches a patch", async () => {
  await fc.assert(
    fc.asyncProperty(file, change, value, fc.boolean(), async (hcl, { path: at }, before, isBefore) => {
      const marks = isBefore ? { before_sensitive: true } : { after_sensitive: true };
      const secret = attribute(at, before, SECRET, marks);
      const { outcomes, patch } = await settled({ "main.tf": hcl }, [
        accepting([secret], { settable: [String(at[0])] }),
      ]);
      expect(outcomes).toMatchObject([{ kind: "refused", refusal: { code: "secret" } }]);
      expect(patch).toBe("");
      expect(JSON.stringify(outcomes)).not.toContain(SECRET);
    }),
    { numRuns: 100 },
  );
});

test("any bytes as code and any path end in a refusal or a file that parses", async () => {
  const bytes = fc.string({ unit: "binary", maxLength: 200 });
  await fc.assert(
    fc.asyncProperty(bytes, bytes, bytes, async (name, hcl, attributeName) => {
      const files = { [name]: hcl, "b.tf": `resource "aws_thing" "a" {\n${hcl}\n}\n` };
      const changes = [
        accepting([attribute([attributeName], null, hcl)], { settable: [attributeName], address: name }),
        accepting([attribute(["size"], hcl, name)], { settable: ["size"] }),
      ];
      const { files: after, outcomes } = await settled(files, changes);
      if (outcomes[1]?.kind === "changed") await commentsIn(after["b.tf"] ?? "");
    }),
    { numRuns: 200 },
  );
});
