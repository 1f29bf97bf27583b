import { describe, expect, test } from "bun:test";

import { NOISE_CLASSES } from "@leeway/shared/contracts/analyzer/analysis";

import { fixed, noiseOf } from "./fix.fixture.ts";
import { proposeFix } from "./propose-fix.ts";

describe("a fix without files", () => {
  test.each(NOISE_CLASSES)("shows a valid, formatted example for %s", async (noiseClass) => {
    const noise = noiseOf(noiseClass, "tags.*", { sample: { before: "a", after: "A" } });
    for (const strategy of ["auto", "normalize", "ignore_changes", "upgrade_provider"] as const) {
      const fix = await proposeFix({ noise, sources: [], strategy });

      expect(fix).toMatchObject({ patches: [], verified: { parsed: true, formatted: true } });
      expect(fix.hcl).toMatch(/^(?:resource|provider|terraform) /m);
      expect(fix.explanation).toStartWith("No file was changed. Proposed fix: ");
      expect(fix.risks).not.toEqual([]);
    }
  });

  test("leaves out names that would escape the example", async () => {
    const noise = noiseOf("autoscaler_owned", "size", {
      resource_type: 'x" "y" {}\nevil',
      provider_name: 'a"\nevil',
    });
    for (const strategy of ["auto", "upgrade_provider"] as const) {
      const fix = await proposeFix({ noise, sources: [], strategy });
      expect(fix.hcl).not.toContain("evil");
      expect(fix.verified).toMatchObject({ parsed: true, formatted: true });
    }
  });

  test("doesn't write masked or cut values", async () => {
    for (const before of ["[redacted]", `${"x".repeat(500)}…`]) {
      const noise = noiseOf("default_materialized", "size", { sample: { before, after: null } });
      const { fix, files } = await fixed(noise, { "main.tf": `resource "aws_thing" "a" {}\n` });
      expect(fix.strategy).toBe("ignore_changes");
      expect(files["main.tf"]).not.toContain(before.slice(0, 9));
    }
  });
});

test("a file name that would forge a diff line is refused", async () => {
  const { fix } = await fixed(noiseOf("autoscaler_owned", "size"), {
    "a.tf\n+++ b/etc": `resource "aws_thing" "a" {}\n`,
  });
  expect(fix.patches).toEqual([]);
});

test("a JSON configuration is reported as unsupported", async () => {
  const json = JSON.stringify({ resource: { aws_thing: { a: {} } } });
  const { fix } = await fixed(noiseOf("autoscaler_owned", "size"), {
    "cdk.tf.json": json,
    "a.tfvars.json": "{}",
  });
  expect(fix.patches).toEqual([]);
  expect(fix.explanation).toContain("`cdk.tf.json` is JSON, but only HCL can be changed");
  expect(fix.explanation).not.toContain("tfvars");
});

test("a patch has a normalized file name in its diff and the given path", async () => {
  const hcl = `resource "aws_thing" "a" {}\n`;
  const { fix } = await fixed(noiseOf("autoscaler_owned", "size"), {
    "./net//main.tf": hcl,
    "net/main.tf": hcl,
  });
  expect(fix.patches).toEqual([{ path: "./net//main.tf", diff: expect.any(String) }]);
  expect(fix.patches[0]?.diff).toStartWith("--- a/net/main.tf\n+++ b/net/main.tf\n");
});

test("if a template fits only some blocks, one that fits all is used", async () => {
  const noise = noiseOf("case_change", "location", {
    addresses: ["aws_thing.a", "aws_thing.b"],
    sample: { before: "westEurope", after: "WestEurope" },
  });
  const { fix, files } = await fixed(noise, {
    "main.tf": `resource "aws_thing" "a" {\n  location = "WestEurope"\n}\n\nresource "aws_thing" "b" {\n  location = var.location\n}\n`,
  });
  expect(fix.strategy).toBe("ignore_changes");
  expect(files["main.tf"]?.match(/ignore_changes = \[location\]/g)).toHaveLength(2);
});

test("an inline block that separate resources declare too is left to the user", async () => {
  const { fix } = await fixed(noiseOf("inline_vs_standalone", "ingress"), {
    "main.tf": `resource "aws_thing" "a" {\n  ingress {\n    port = 1\n  }\n}\n`,
  });
  expect(fix.patches).toEqual([]);
  expect(fix.explanation).toContain("keep one of the two styles");
});

test.each(["computed_only", "provider_upgrade_churn"] as const)(
  "%s needs a provider upgrade: no file is changed",
  async (noiseClass) => {
    const { fix } = await fixed(noiseOf(noiseClass, "arn"), { "main.tf": `resource "aws_thing" "a" {}\n` });
    expect(fix).toMatchObject({ strategy: "upgrade_provider", patches: [] });
    expect(fix.explanation).toContain("`terraform init -upgrade`");
  },
);

const located = (place: string): string => `resource "aws_thing" "b" {\n  location = "${place}"\n}\n`;

test("for a value missing from the plan, the explanation uses only what is visible", async () => {
  const noise = noiseOf("case_change", "location", {
    sample: { before: "eastus", after: "EastUS" },
    addresses: ["aws_thing.b"],
  });
  const { fix } = await fixed(noise, { "main.tf": located("westus") });
  expect(fix.explanation).toContain("`location` is already as `lower` returns it");
  const same = await fixed(noise, { "main.tf": located("eastus") });
  expect(same.fix.explanation).toContain("`location` is already written as the provider returns it");
});

test("for an existing jsonencode, the explanation says what may still differ", async () => {
  const noise = noiseOf("json_policy_normalization", "policy", {
    sample: { before: '{"Statement":[{"Action":["s3:*"]}]}', after: '{"Statement":[{"Action":"s3:*"}]}' },
  });
  const hcl = `resource "aws_thing" "a" {\n  policy = jsonencode({ Statement = [{ Action = "s3:*" }] })\n}\n`;
  const { fix } = await fixed(noise, { "main.tf": hcl });
  expect(fix.patches).toEqual([]);
  expect(fix.explanation).toContain("It still differs in form");
});

test("if only tags_all differs, the explanation says that an apply settles it", async () => {
  const provider = `provider "aws" {\n  default_tags {\n    tags = { Team = "x" }\n  }\n}\n`;
  const blocks = ["", `  tags = { Name = "a" }\n`].map(
    (tags) => `${provider}resource "aws_thing" "a" {\n${tags}}\n`,
  );
  for (const hcl of blocks) {
    const { fix } = await fixed(noiseOf("tags_all_default_tags", "tags_all.*"), { "main.tf": hcl });
    expect(fix.patches).toEqual([]);
    expect(fix.explanation).toContain("The default tags themselves differ, which an apply settles, unless");
  }
});
