import { expect, test } from "bun:test";

import type { NoiseGroup } from "@leeway/shared/contracts/analyzer/analysis";
import { growthOf, many, repeated, STEEPEST } from "@leeway/shared/testing/growth.fixture";
import { ONCE_QUADRATIC } from "@leeway/shared/security/redaction/hostile-parts.fixture";

import { noiseOf } from "./fix.fixture.ts";
import { proposeFix } from "./propose-fix.ts";

interface Case {
  noise: NoiseGroup;
  hcl: string;
}

const size = noiseOf("autoscaler_owned", "size");
const policy = noiseOf("json_policy_normalization", "policy");
const RESOURCE = 'resource "aws_thing" "a"';

/** Builds noise on many resources that all have the given body. */
function everywhere(noise: NoiseGroup, count: number, body: string): Case {
  const names = many(count, (index) => `a${index}`);
  const blocks = names.map((name) => `resource "aws_thing" "${name}" {\n${body}\n}\n`);
  return { noise: { ...noise, addresses: names.map((name) => `aws_thing.${name}`) }, hcl: blocks.join("") };
}

const tags = (count: number, between: string): string => many(count, (n) => `k${n} = "v"`).join(between);
const PROVIDER = 'provider "aws" {\n  default_tags {\n    tags = {\n';

/** Configurations of a requested size, each stressing one part of the parser or the fix. */
const FAMILIES: Record<string, (bytes: number) => Case> = {
  "brackets in brackets": (bytes) => ({
    noise: size,
    hcl: many(bytes / 2_000, (n) => `x${n} = ${"[".repeat(900)}${"]".repeat(900)}\n`).join(""),
  }),
  "blocks in blocks": (bytes) => ({
    noise: size,
    hcl: many(bytes / 120, () => `${"a {\n".repeat(25)}${"}\n".repeat(25)}`).join(""),
  }),
  "quotation marks": (bytes) => ({ noise: size, hcl: repeated('"', bytes) }),
  "open heredocs": (bytes) => ({ noise: size, hcl: repeated("x = <<EOT\n", bytes) }),
  operators: (bytes) => ({ noise: size, hcl: `x = ${repeated("1 + ", bytes)}1\n` }),
  comments: (bytes) => ({ noise: size, hcl: `${repeated("# a\n", bytes)}${RESOURCE} {}\n` }),
  "many attributes": (bytes) => ({
    noise: size,
    hcl: `${RESOURCE} {\n${many(bytes / 12, (n) => `  a${n} = 1\n`).join("")}}\n`,
  }),
  "one long line": (bytes) => ({ noise: size, hcl: `${RESOURCE} {\n  x = [${repeated("1, ", bytes)}]\n}\n` }),
  // More resources than a fix edits: a patch for fewer takes up to three seconds.
  "many resources": (bytes) => everywhere(size, bytes / 14, "  x = 1"),
  "many resources behind a long line": (bytes) => {
    const { noise, hcl } = everywhere(size, bytes / 90, "  x = 1");
    return { noise, hcl: `# ${repeated("-", bytes / 2)}\n${hcl}` };
  },
  "many resources with tags": (bytes) =>
    everywhere(noiseOf("external_tags", "tags.*", { keys: ["a"] }), bytes / 70, '  tags = { a = "b" }'),
  "many resources that repeat default tags": (bytes) => {
    const { noise, hcl } = everywhere(
      noiseOf("tags_all_default_tags", "tags.*"),
      bytes / 14,
      '  tags = { k0 = "v", a = "b" }',
    );
    return { noise, hcl: `${PROVIDER}${tags(1, "\n")}\n}\n}\n}\n${hcl}` };
  },
  "many default tags repeated on one line": (bytes) => ({
    noise: noiseOf("tags_all_default_tags", "tags.*"),
    hcl: `${PROVIDER}${tags(bytes / 30, "\n")}\n}\n}\n}\n${RESOURCE} {\n  tags = { ${tags(bytes / 30, ", ")}, own = "x" }\n}\n`,
  }),
  "a long list in another order": (bytes) => ({
    noise: noiseOf("set_order", "xs"),
    hcl: `${RESOURCE} {\n  xs = [${many(bytes / 12, (n) => `"${999_999 - n}"`).join(", ")}]\n}\n`,
  }),
  "a long list of actions": (bytes) => ({
    noise: policy,
    hcl: `${RESOURCE} {\n  policy = jsonencode({ Action = [\n${many(bytes / 12, (n) => `"${999_999 - n}"`).join(",\n")}\n] })\n}\n`,
  }),
  "a long text of JSON": (bytes) => ({
    noise: policy,
    hcl: `${RESOURCE} {\n  policy = "${JSON.stringify(many(bytes / 30, (n) => ({ k: n }))).replaceAll('"', '\\"')}"\n}\n`,
  }),
  "a long text with escapes": (bytes) => ({
    noise: policy,
    hcl: `${RESOURCE} {\n  policy = "${repeated("\\n", bytes)}"\n}\n`,
  }),
  "many calls of modules": (bytes) => {
    const calls = many(bytes / 50, (n) => `module "m${n}" {\n  source = "./m"\n}\n`);
    return {
      noise: { ...size, addresses: calls.map((_, n) => `module.m${n}.aws_thing.a`) },
      hcl: calls.join(""),
    };
  },
  ...Object.fromEntries(
    Object.entries(ONCE_QUADRATIC).map(([name, text]): [string, (bytes: number) => Case] => [
      name,
      (bytes) => ({ noise: policy, hcl: `${RESOURCE} {\n  policy = <<EOT\n${text(bytes)}\nEOT\n}\n` }),
    ]),
  ),
};

async function work({ noise, hcl }: Case): Promise<void> {
  await proposeFix({ noise, sources: [{ path: "main.tf", hcl }], strategy: "auto" });
}

test.each(Object.entries(FAMILIES))(
  "a fix takes time in proportion to the configuration, for %s",
  async (_, make) => {
    expect(await growthOf({ make, work, size: 30_000 })).toBeLessThan(STEEPEST);
  },
);
