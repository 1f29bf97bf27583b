import { describe, expect, test } from "bun:test";

import type { NoiseGroup } from "@leeway/shared/contracts/analyzer/analysis";

import { fixed, noiseOf } from "./fix.fixture.ts";

const inBlock = (lines: string): string => `resource "aws_thing" "a" {\n${lines}}\n`;
const emptied = noiseOf("number_string_bool", "mode", { sample: { before: null, after: "" } });
const policy = noiseOf("json_policy_normalization", "policy");
const size = noiseOf("autoscaler_owned", "size");
const tags = noiseOf("tags_all_default_tags", "tags.*");
const materialized = noiseOf("default_materialized", "mode", { sample: { before: "x", after: null } });
const provider = (tags: string): string =>
  `provider "aws" {\n  default_tags {\n    tags = {\n${tags}    }\n  }\n}\n`;

async function main(noise: NoiseGroup, text: string): Promise<string | undefined> {
  return (await fixed(noise, { "main.tf": text })).files["main.tf"];
}

describe("text on the same line as a removed attribute is kept", () => {
  test.each([
    ["a resource on one line", `resource "aws_thing" "a" { mode = "" }\n`, `resource "aws_thing" "a" {}\n`],
    [
      "a comment that starts there",
      inBlock(`  mode = "" /* a\n  b */\n  size = 1\n`),
      inBlock(`  /* a\n  b */\n  size = 1\n`),
    ],
  ])("%s", async (_what, before, after) => expect(await main(emptied, before)).toBe(after));

  test("a comment that ends there", async () => {
    const text = await main(emptied, inBlock(`  /* a\n  b */ mode = ""\n  size = 1\n  /* c */\n`));
    expect(text).toMatch(/\/\* a\n {2}b \*\/ *\n {2}size = 1\n/);
  });

  test("a nested block on one line", async () => {
    const nested = { ...emptied, path_pattern: "tier.*.mode" };
    expect(await main(nested, inBlock(`  tier { mode = "" }\n`))).toBe(inBlock(`  tier {}\n`));
  });

  test("a resource on one line with only default tags", async () => {
    const text = `${provider(`      Team = "x"\n`)}resource "aws_thing" "a" { tags = { Team = "x" } }\n`;
    expect(await main(tags, text)).toEndWith(`}\nresource "aws_thing" "a" {}\n`);
  });
});

describe("nothing is written into a comment over several lines", () => {
  test.each([
    [
      "after the last item of a list",
      size,
      inBlock(`  lifecycle {\n    ignore_changes = [\n      name /* a\n b */\n    ]\n  }\n`),
      "name, size /* a\n",
    ],
    [
      "after the last comma of a list",
      size,
      inBlock(`  lifecycle {\n    ignore_changes = [\n      name, /* a\n b */\n    ]\n  }\n`),
      "name, size, /* a\n",
    ],
    ["before the end of a block", size, inBlock(`  name = "x"\n  /* a\n  b */ `), "b */ \n"],
    ["after an attribute", materialized, inBlock(`  size = 1 /* a\n  b */\n`), `mode = "x" /* a\n`],
  ])("%s", async (_what, noise, before, part) => {
    const after = await main(noise, before);
    expect(after).toContain(part);
    expect((await fixed(noise, { "main.tf": after ?? "" })).fix.patches).toEqual([]);
  });
});

const document = (json: string): string => inBlock(`  policy = <<-EOT\n    ${json}\n  EOT\n`);

describe("a document converted to jsonencode keeps its meaning", () => {
  test.each([
    ["a list joined by an interpolation", `{"Resource": ["\${join("\\", \\"", var.arns)}"]}`],
    ["text escaped by an interpolation", `{"a": "\${replace(var.x, "\\"", "\\\\\\"")}"}`],
    ["a number with too many digits", `{"a": 12345678901234567890}`],
  ])("and isn't converted with %s", async (_what, json) =>
    expect((await fixed(policy, { "main.tf": document(json) })).fix.patches).toEqual([]),
  );

  test("and gets tostring() for values and parentheses for keys", async () =>
    expect(
      await main(policy, document(`{"\${var.key}": "\${var.port}", "\${var.oidc}:sub": "\${aws_x.y.arn}"}`)),
    ).toBe(
      inBlock(
        `  policy = jsonencode({\n    (tostring(var.key)) = tostring(var.port)\n    "\${var.oidc}:sub"   = aws_x.y.arn\n  })\n`,
      ),
    ));
});

const tagsOf = (env: string): string =>
  inBlock(`  tags = {\n    Env  = "${env}"\n    Name = "Web"\n    Team = var.team\n  }\n`);

test("only map entries that match the sample are changed", async () => {
  const noise = noiseOf("case_change", "tags.*", { sample: { before: "prod", after: "Prod" } });
  expect(await main(noise, tagsOf("Prod"))).toBe(tagsOf("prod"));
});

test("control characters in a value are escaped", async () => {
  const noise = noiseOf("case_change", "name", {
    sample: { before: "a\u202Eb\u009B", after: "A\u202EB\u009B" },
  });
  expect(await main(noise, inBlock(`  name = "A\u202EB\u009B"\n`))).toBe(
    inBlock(`  name = "a\\u202eb\\u009b"\n`),
  );
});

const call = (more = ""): string => `module "m" {\n  source = "./m"\n${more}}\n`;
const tagged = (all: string): string => inBlock(`  tags = { ${all} }\n`);

describe("default tags are removed from a resource", () => {
  const text = `  tags = {\n    Name = "x"\n    Team = "x"\n    Env  = var.env\n  }\n`;
  const defaults = provider(`      Team = "x"\n      Env  = var.env\n`);
  const inModule = { ...tags, addresses: ["module.m.aws_thing.a"] };

  test("only with the provider of its own project", async () => {
    const { files } = await fixed(
      tags,
      { "a/main.tf": defaults, "b/main.tf": inBlock(text) },
      { strategy: "normalize" },
    );
    expect(files["b/main.tf"]).toBe(inBlock(text));
  });

  test("in a module, except variables", async () => {
    const { files } = await fixed(inModule, { "main.tf": defaults + call(), "m/main.tf": inBlock(text) });
    expect(files["m/main.tf"]).toBe(inBlock(`  tags = {\n    Name = "x"\n    Env  = var.env\n  }\n`));
  });

  test("in a module, unless it gets another provider", async () => {
    const passed = call("  providers = {\n    aws = aws.other\n  }\n");
    const given = { "main.tf": defaults + passed, "m/main.tf": inBlock(text) };
    const { files } = await fixed(inModule, given, { strategy: "normalize" });
    expect(files["m/main.tf"]).toBe(inBlock(text));
  });

  test("all at once", async () => {
    const text = defaults + tagged(`Name = "x", Team = "x", Env = var.env`);
    expect(await main(tags, text)).toBe(defaults + tagged(`Name = "x",`));
  });
});

test("a dynamic ignore_tags block isn't changed", async () => {
  const noise = noiseOf("external_tags", "tags.*", { keys: ["k"] });
  const dynamic = `provider "aws" {\n  dynamic "ignore_tags" {\n    for_each = [1]\n    content {\n      keys = ["a"]\n    }\n  }\n}\n`;
  expect(await main(noise, dynamic + inBlock(""))).toStartWith(`${dynamic}resource`);
});
