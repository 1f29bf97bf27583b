import { describe, expect, test } from "bun:test";

import type { NoiseGroup } from "@leeway/shared/contracts/analyzer/analysis";

import { fixed, noiseOf } from "./fix.fixture.ts";

const size = noiseOf("autoscaler_owned", "size");
const inBlock = (lines: string): string => `resource "aws_thing" "a" {\n${lines}}\n`;

interface Case {
  fact: string;
  before: string;
  after: string;
  noise?: NoiseGroup;
}

const formatted = async (hcl: string): Promise<boolean> =>
  (await fixed(size, { "main.tf": hcl })).fix.verified.formatted;

describe("ignore_changes", () => {
  test.each<Case>([
    {
      fact: "a path is added to ignored paths",
      before: inBlock(`  size = 1\n  lifecycle { ignore_changes = [tags["a"], name] }\n`),
      after: inBlock(`  size = 1\n  lifecycle { ignore_changes = [tags["a"], name, size] }\n`),
    },
    {
      fact: "a list over several lines is extended, and comments stay in place",
      before: inBlock(
        `  lifecycle {\n    ignore_changes = [\n      name, # ours\n      tags, # theirs\n      # the end\n    ]\n  }\n`,
      ),
      after: inBlock(
        `  lifecycle {\n    ignore_changes = [\n      name, # ours\n      tags, # theirs\n      size,\n      # the end\n    ]\n  }\n`,
      ),
    },
    {
      fact: "a list without a trailing comma gets one",
      before: inBlock(
        `  lifecycle {\n    ignore_changes = [\n      name,\n      tags # theirs\n    ]\n  }\n`,
      ),
      after: inBlock(
        `  lifecycle {\n    ignore_changes = [\n      name,\n      tags, # theirs\n      size\n    ]\n  }\n`,
      ),
    },
    {
      fact: "an empty list is filled",
      before: inBlock(`  lifecycle {\n    ignore_changes = []\n  }\n`),
      after: inBlock(`  lifecycle {\n    ignore_changes = [size]\n  }\n`),
    },
    {
      fact: "an existing lifecycle block is used",
      before: inBlock(`  lifecycle {\n    prevent_destroy = true\n  }\n`),
      after: inBlock(`  lifecycle {\n    prevent_destroy = true\n    ignore_changes  = [size]\n  }\n`),
    },
    {
      fact: "a lifecycle block on one line is expanded",
      before: inBlock(`  lifecycle { prevent_destroy = true }\n`),
      after: inBlock(`  lifecycle {\n    prevent_destroy = true\n    ignore_changes  = [size]\n  }\n`),
    },
    {
      fact: "a resource on one line is expanded",
      before: `resource "aws_thing" "a" {} # empty\n`,
      after: `resource "aws_thing" "a" {\n  lifecycle {\n    ignore_changes = [size]\n  }\n} # empty\n`,
    },
    {
      fact: "text outside the block is unchanged, even if unformatted",
      before: `\n\n# top\nlocals {\n a=1\n\tbb = 2   \n}\nresource aws_thing a {\n      size=1 // one\n}`,
      after: `\n\n# top\nlocals {\n a=1\n\tbb = 2   \n}\nresource aws_thing a {\n      size=1 // one\n\n  lifecycle {\n    ignore_changes = [size]\n  }\n}`,
    },
    {
      fact: "CRLF line ends are kept",
      before: `resource "aws_thing" "a" {\r\n  size = 1 # x\r\n}\r\n`,
      after: `resource "aws_thing" "a" {\r\n  size = 1 # x\r\n\r\n  lifecycle {\r\n    ignore_changes = [size]\r\n  }\r\n}\r\n`,
    },
    {
      fact: "heredocs with braces and quotes are kept as text",
      before: inBlock(`  script = <<EOT\n}\nresource "aws_thing" "a" {\n"\${size}\nEOT\n`),
      after: inBlock(
        `  script = <<EOT\n}\nresource "aws_thing" "a" {\n"\${size}\nEOT\n\n  lifecycle {\n    ignore_changes = [size]\n  }\n`,
      ),
    },
    {
      fact: "a comment at the end stays in its block",
      before: inBlock(`  size = 1\n  # the end\n`),
      after: inBlock(`  size = 1\n  # the end\n\n  lifecycle {\n    ignore_changes = [size]\n  }\n`),
    },
    {
      fact: "characters beyond ASCII don't shift the change",
      before: `# 𝒽éllo 🎉\nresource "aws_thing" "a" {\n  name = "🎉é"\n}\n`,
      after: `# 𝒽éllo 🎉\nresource "aws_thing" "a" {\n  name = "🎉é"\n\n  lifecycle {\n    ignore_changes = [size]\n  }\n}\n`,
    },
  ])("$fact", async ({ before, after }) => {
    const { fix, files } = await fixed(size, { "main.tf": before });
    expect(files["main.tf"]).toBe(after);
    expect(fix.verified.parsed).toBe(true);
    expect(fix.hcl).toContain("size");
  });

  test.each([
    ["all changes are ignored", `ignore_changes = all`, "already ignores all changes"],
    ["all changes are ignored in the old syntax", `ignore_changes = ["*"]`, "already ignores all changes"],
    ["the path is ignored", `ignore_changes = [size]`, "already ignores `size`"],
    ["the path is ignored in the old quoted syntax", `ignore_changes = ["size"]`, "already ignores `size`"],
  ])("nothing changes and the reason is given if %s already", async (_fact, line, words) => {
    const { fix } = await fixed(size, { "main.tf": inBlock(`  lifecycle {\n    ${line}\n  }\n`) });
    expect(fix.patches).toEqual([]);
    expect(fix.explanation).toContain("No file was changed");
    expect(fix.explanation).toContain(words);
  });

  test("an ignored map covers its keys", async () => {
    const noise = noiseOf("external_tags", "labels.*", { keys: ["goog-x"], provider_name: "google" });
    const hcl = inBlock(`  lifecycle {\n    ignore_changes = [labels]\n  }\n`);
    expect((await fixed(noise, { "main.tf": hcl })).fix.patches).toEqual([]);
  });

  test.each([
    ["several blocks of one name", `  rule {\n    count = 1\n  }\n  rule {\n    count = 2\n  }\n`],
    ["a block that may be a set", `  rule {\n    count = 1\n  }\n`],
    ["a dynamic block", `  dynamic "rule" {\n    for_each = []\n    content {}\n  }\n`],
  ])("a whole block is never ignored: nothing changes for %s", async (_what, lines) => {
    const { fix } = await fixed(noiseOf("autoscaler_owned", "rule.*.count"), { "main.tf": inBlock(lines) });
    expect(fix.patches).toEqual([]);
    expect(fix.explanation).toContain("can't be ignored without ignoring a whole block");
  });

  test("only a formatted block is reported as formatted", async () => {
    expect(await formatted(inBlock(`  size = 1\n`))).toBe(true);
    expect(await formatted(inBlock(`    size = 1\n`))).toBe(false);
    expect(await formatted(inBlock(`  size = "\${var.size}"\n`))).toBe(false);
  });

  test("a policy is ignored only on request", async () => {
    const policy = noiseOf("json_policy_normalization", "policy");
    const hcl = { "main.tf": inBlock(`  policy = data.aws_iam_policy_document.a.json\n`) };
    expect((await fixed(policy, hcl)).fix.patches).toEqual([]);
    const { fix } = await fixed(policy, hcl, { strategy: "ignore_changes" });
    expect(fix.strategy).toBe("ignore_changes");
    expect(fix.hcl).toContain("ignore_changes = [policy]");
  });

  test("a path that would escape its place is never written", async () => {
    const noise = noiseOf("autoscaler_owned", 'a] }\n provisioner "local-exec" { command = "x" } #');
    const { fix } = await fixed(noise, { "main.tf": inBlock("") });
    expect(fix.patches).toEqual([]);
    expect(fix.hcl).not.toContain("local-exec");
  });
});
