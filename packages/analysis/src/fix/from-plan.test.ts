import { describe, expect, test } from "bun:test";

import type { NoiseGroup } from "@leeway/shared/contracts/analyzer/analysis";

import { groupNoise } from "../noise/group-noise.ts";
import { change, noiseOf, type Plans } from "../noise/noise.fixture.ts";
import { fixed } from "./fix.fixture.ts";

/** Returns the only kind of noise in a plan. */
function onlyNoise(plan: Plans): NoiseGroup {
  const [noise, ...more] = groupNoise(noiseOf(plan), () => true);
  if (!noise || more.length > 0) throw new Error("not one kind of noise");
  return noise;
}

const inBlock = (type: string, lines: string): string => `resource "${type}" "main" {\n${lines}}\n`;

describe("tags that other tools set on a resource without tags", () => {
  const untagged = { tags: null };
  const tagged = { tags: { "kubernetes.io/cluster/x": "shared", "kubernetes.io/role/elb": "1" } };
  const noise = onlyNoise({ drift: [change("aws_subnet", untagged, tagged)] });
  const subnet = inBlock("aws_subnet", `  vpc_id = var.vpc_id\n`);

  test("are added to the provider's ignore_tags", async () => {
    const { files } = await fixed(noise, { "main.tf": `provider "aws" {\n}\n\n${subnet}` });
    expect(files["main.tf"]).toContain(
      `  ignore_tags {\n    keys = ["kubernetes.io/cluster/x", "kubernetes.io/role/elb"]\n  }\n`,
    );
  });

  test("are ignored by key, and the resource's own tags are still compared", async () => {
    const { fix } = await fixed(noise, { "main.tf": subnet }, { strategy: "ignore_changes" });
    expect(fix.hcl).toContain(
      `ignore_changes = [tags["kubernetes.io/cluster/x"], tags["kubernetes.io/role/elb"]]`,
    );
  });
});

describe("a change made only outside code is written as in the cloud", () => {
  test("for the order of a list", async () => {
    const noise = onlyNoise({ drift: [change("aws_lb", { subnets: ["b", "a"] }, { subnets: ["a", "b"] })] });
    const { files } = await fixed(noise, { "main.tf": inBlock("aws_lb", `  subnets = ["b", "a"]\n`) });
    expect(files["main.tf"]).toBe(inBlock("aws_lb", `  subnets = ["a", "b"]\n`));
  });

  test("for a default that was filled in", async () => {
    const noise = onlyNoise({
      drift: [change("aws_s3_bucket", { force_destroy: null }, { force_destroy: false })],
    });
    const { fix, files } = await fixed(noise, { "main.tf": inBlock("aws_s3_bucket", "") });
    expect(files["main.tf"]).toBe(inBlock("aws_s3_bucket", `  force_destroy = false\n`));
    expect(fix.strategy).toBe("explicit_default");
  });

  test("unless the plan changes it too, which uses the plan's previous value", async () => {
    const drift = [
      change("aws_lb", { subnets: ["d", "c"] }, { subnets: ["c", "d"] }, { address: "aws_lb.first" }),
    ];
    const changes = [change("aws_lb", { subnets: ["b", "a"] }, { subnets: ["a", "b"] })];
    const noise = onlyNoise({ changes, drift });
    expect(noise.sample).toEqual({ before: ["b", "a"], after: ["a", "b"], varies: true });
    const { files } = await fixed(noise, { "main.tf": inBlock("aws_lb", `  subnets = ["a", "b"]\n`) });
    expect(files["main.tf"]).toBe(inBlock("aws_lb", `  subnets = ["b", "a"]\n`));
  });
});

async function shown(type: string, attribute: string, before: object, after: object): Promise<string> {
  const was = { [attribute]: JSON.stringify(before) };
  const is = { [attribute]: JSON.stringify(after) };
  const { fix } = await fixed(onlyNoise({ changes: [change(type, was, is)] }), {});
  expect(fix.verified).toMatchObject({ parsed: true, formatted: true });
  return fix.hcl;
}

const policy = (...Action: string[]): object => ({ Statement: [{ Effect: "Allow", Action, Resource: "*" }] });

describe("without code, jsonencode is shown for a document", () => {
  test("as a policy if it is one", async () => {
    const hcl = await shown("aws_iam_policy", "policy", policy("s3:b", "s3:a"), policy("s3:a", "s3:b"));
    expect(hcl).toContain(`Action   = ["s3:GetObject", "s3:ListBucket"]`);
  });

  test("read from a file for other documents, without their contents", async () => {
    const image = { name: "web", image: "web:1" };
    const was = [{ ...image, cpu: 0 }];
    expect(await shown("aws_ecs_task_definition", "container_definitions", was, [image])).toBe(
      `resource "aws_ecs_task_definition" "example" {
  container_definitions = jsonencode(jsondecode(file("\${path.module}/container_definitions.json")))
}
`,
    );
  });
});

test("only the tag that is new in each plan is ignored", async () => {
  const was = { tags: { At: "2026-01-01T00:00:00Z", Team: "a" } };
  const is = { tags: { At: "2026-01-02T00:00:00Z", Team: "a" } };
  const noise = onlyNoise({ changes: [change("aws_instance", was, is)] });
  const { fix } = await fixed(noise, { "main.tf": inBlock("aws_instance", `  tags = local.tags\n`) });
  expect(fix.hcl).toContain(`ignore_changes = [tags["At"]]`);
});
