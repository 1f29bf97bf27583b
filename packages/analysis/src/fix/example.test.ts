import { describe, expect, test } from "bun:test";

import { NOISE_CLASSES, type NoiseGroup } from "@leeway/shared/contracts/analyzer/analysis";
import fc from "fast-check";

import { fixed, noiseOf } from "./fix.fixture.ts";

const shown = async (noise: NoiseGroup): Promise<string> => {
  const { fix } = await fixed(noise, {});
  expect(fix.verified).toMatchObject({ parsed: true, formatted: true });
  return fix.hcl;
};
const inBlock = (lines: string): string => `resource "aws_thing" "example" {\n${lines}}\n`;
const google = { resource_type: "google_thing", provider_name: "registry.terraform.io/hashicorp/google" };

describe("without code, the attribute is shown in its place", () => {
  test.each<[what: string, noise: NoiseGroup, lines: string]>([
    [
      "in a block",
      noiseOf("default_materialized", "options.*.tokens", { sample: { before: "optional", after: null } }),
      `  options {\n    tokens = "optional"\n  }\n`,
    ],
    [
      "in a list of a nested block",
      noiseOf("equivalent_value", "rule.*.source.*.cidr_blocks.*", {
        sample: { before: "10.0.0.0/8", after: "10.0.0.1/8" },
      }),
      `  rule {\n    source {\n      cidr_blocks = ["10.0.0.0/8"]\n    }\n  }\n`,
    ],
    [
      "in a list, with the function that makes its items equal",
      noiseOf("trailing_char", "records.*", { sample: { before: "a.example", after: "a.example." } }),
      `  records = [trimsuffix(var.value, ".")]\n`,
    ],
    [
      "with a function on one line",
      noiseOf("case_change", "location", { sample: { before: "westeurope", after: "WestEurope" } }),
      `  location = lower(var.value)\n`,
    ],
    [
      "as a variable if its value was masked",
      noiseOf("equivalent_value", "location", { sample: { before: "[redacted]", after: "[redacted]" } }),
      `  location = var.value\n`,
    ],
    [
      "in a map",
      noiseOf("timestamp_value", "tags.*", { sample: { before: "2026-01-01T00:00:00Z", after: null } }),
      `  tags = {\n    example = time_static.example.rfc3339\n  }\n`,
    ],
  ])("%s", async (_, noise, lines) => {
    expect(await shown(noise)).toStartWith(inBlock(lines));
  });
});

test("without code, a value that varies between resources isn't shown", async () => {
  const sample = { before: "10.0.0.0/8", after: "10.0.0.1/8" };
  const one = noiseOf("equivalent_value", "cidr_block", { sample });
  const several = noiseOf("equivalent_value", "cidr_block", { sample: { ...sample, varies: true } });
  expect(await shown(one)).toContain(`cidr_block = "10.0.0.0/8"`);
  expect(await shown(several)).toContain("cidr_block = var.value");
});

test("without code, any example can be pasted", async () => {
  const path = fc.array(fc.constantFrom("*", "tags", "ingress", "metadata", "x-y"), { minLength: 1 });
  const some = fc.jsonValue({ maxDepth: 2 });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...NOISE_CLASSES), path, some, async (noiseClass, steps, before) => {
      await shown(noiseOf(noiseClass, steps.join("."), { sample: { before, after: null } }));
    }),
  );
});

describe("without code, no AWS provider settings are shown for another provider", () => {
  test("tags of other tools are ignored by key", async () => {
    const noise = noiseOf("external_tags", "labels.*", { ...google, keys: ["goog-x"] });
    expect(await shown(noise)).toContain(`ignore_changes = [labels["goog-x"]]`);
    expect((await fixed(noise, {})).fix).toMatchObject({ strategy: "ignore_changes" });
  });

  test("default tags aren't mentioned", async () => {
    const hcl = await shown(noiseOf("tags_all_default_tags", "tags_all.*", google));
    expect(hcl).not.toContain("default_tags");
  });
});
