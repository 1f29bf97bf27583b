import type { FixResult, NoiseClass, NoiseGroup } from "@leeway/shared/contracts/analyzer/analysis";
import { applyPatch } from "diff";

import { proposeFix, type FixRequest } from "./propose-fix.ts";

const NOISE: NoiseGroup = {
  fingerprint: "pn1_aaaaaaaaaaaaaaaaaaaaaaaaaa",
  class: "autoscaler_owned",
  title: "",
  resource_type: "aws_thing",
  provider_name: "registry.terraform.io/hashicorp/aws",
  path_pattern: "size",
  confidence: 1,
  hidden: true,
  addresses: ["aws_thing.a"],
  count: 1,
  fix_available: true,
  sample: { before: 3, after: 2 },
};

/** Builds noise of a class at a path of `aws_thing.a`. */
export function noiseOf(noiseClass: NoiseClass, path: string, rest: Partial<NoiseGroup> = {}): NoiseGroup {
  return { ...NOISE, class: noiseClass, path_pattern: path, ...rest };
}

/** Returns the fix, and the files after its patches. `places` is for noise in several projects. */
export async function fixed(
  noise: NoiseGroup,
  files: Readonly<Record<string, string>>,
  { strategy = "auto", places }: Partial<Pick<FixRequest, "strategy" | "places">> = {},
): Promise<{ fix: FixResult; files: Record<string, string> }> {
  const sources = Object.entries(files).map(([path, hcl]) => ({ path, hcl }));
  const fix = await proposeFix({ noise, sources, strategy, ...(places && { places }) });
  const patched: Record<string, string> = { ...files };
  for (const { path, diff } of fix.patches) {
    const result = applyPatch(files[path] ?? "", diff, { autoConvertLineEndings: false });
    if (result === false) throw new Error(`the patch of ${path} doesn't apply:\n${diff}`);
    patched[path] = result;
  }
  return { fix, files: patched };
}
