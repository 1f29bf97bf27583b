import { describe, expect, test } from "bun:test";

import type { NoiseGroup } from "@leeway/shared/contracts/analyzer/analysis";

import { groupNoise } from "../noise/group-noise.ts";
import { change, noiseOf, type Plans } from "../noise/noise.fixture.ts";
import { fixed } from "./fix.fixture.ts";

/** The only kind of noise of a plan. */
function onlyNoise(plan: Plans): NoiseGroup {
  const [noise, ...more] = groupNoise(noiseOf(plan), () => true);
  if (!noise || more.length > 0) throw new Error("not one kind of noise");
  return noise;
}

const inBlock = (type: string, lines: string): string => `resource "${type}" "main" {\n${lines}}\n`;

describe("tags that others set on a resource without any", () => {
  const untagged = { tags: null };
  const tagged = { tags: { "kubernetes.io/cluster/x": "shared", "kubernetes.io/role/elb": "1" } };
  const noise = onlyNoise({ drift: [change("aws_subnet", untagged, tagged)] });
  const subnet = inBlock("aws_subnet", `  vpc_id = var.vpc_id\n`);

  test("are named by the provider's ignore_tags", async () => {
    const { files } = await fixed(noise, { "main.tf": `provider "aws" {\n}\n\n${subnet}` });
    expect(files["main.tf"]).toContain(
      `  ignore_tags {\n    keys = ["kubernetes.io/cluster/x", "kubernetes.io/role/elb"]\n  }\n`,
    );
  });

  test("are ignored by key, and the resource's own stay compared", async () => {
    const { fix } = await fixed(noise, { "main.tf": subnet }, { strategy: "ignore_changes" });
    expect(fix.hcl).toContain(
      `ignore_changes = [tags["kubernetes.io/cluster/x"], tags["kubernetes.io/role/elb"]]`,
    );
  });
});
