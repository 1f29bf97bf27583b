import { describe, expect, test } from "bun:test";

import { join } from "node:path";
import { CORPUS, hasCorpus } from "@leeway/shared/testing/corpus.fixture";

import { Glob } from "bun";

import { isObject, type Json, type JsonObject } from "@leeway/shared/values/json";
import { maskPlan } from "../plan/mask-plan.ts";
import { worstOf } from "@leeway/shared/contracts/analyzer/risk-levels";

import { readPlan } from "../plan/read-plan.ts";
import { withoutNoise } from "./change.fixture.ts";
import { changeFlags, findingsOf } from "./findings.ts";

const PLANS = join(CORPUS, "terraform-plans");
const files = hasCorpus
  ? [...new Glob("*/*.json").scanSync(PLANS)].filter((path) => !path.startsWith("invalid/"))
  : [];

async function planAt(path: string): Promise<JsonObject> {
  const plan: Json = await Bun.file(join(PLANS, path)).json();
  return isObject(plan) ? plan : {};
}

describe.skipIf(!hasCorpus)("real plans (skipped where there are none: set LEEWAY_CORPUS)", () => {
  test.each(files)("%s: each material change has findings of one line", async (path) => {
    const plan = readPlan(maskPlan(await planAt(path)));
    const found = findingsOf(plan, withoutNoise(plan), "standard");
    for (const { message } of found) expect(message).toMatch(/^[A-Z][^\n]{5,400}[^.\n]$/);
    const made = plan.changes.filter(
      ({ mode, actions }) =>
        mode === "managed" && actions.some((action) => /create|delete|forget/.test(action)),
    );
    for (const { address } of made) expect(found.map((finding) => finding.address)).toContain(address);
    for (const change of plan.drift) changeFlags(change, { profile: "standard", outside: true });
  });

  test.each([
    ["terraform-j2md/aws_sample.show.json", "high", "high"],
    ["terraform-j2md/single_replace.show.json", "medium", "medium"],
    ["terraform-j2md/moved_block.show.json", "none", "none"],
    ["terraform-j2md/iam_policy.show.json", "medium", "medium"],
    ["infracost/terraform_v0.14_plan.json", "medium", "medium"],
    ["regula/loader--tfplan.0.12.json", "medium", "critical"],
    ["regula/rules--tf--aws--iam--inputs--admin_policy_infra.json", "medium", "critical"],
    ["regula/rules--tf--aws--s3--inputs--bucketpolicy_allowlist_infra.json", "medium", "critical"],
    [
      "regula/rules--tf--azurerm--network--inputs--security_group_no_inbound_22_infra.json",
      "medium",
      "critical",
    ],
    ["terraform-validator/example_project_iam_member_empty_project.tfplan.json", "medium", "critical"],
    ["terraform-validator/example_storage_bucket.tfplan.json", "low", "low"],
  ] as const)("%s is %s in lenient and %s in standard", async (path, lenient, standard) => {
    const plan = readPlan(maskPlan(await planAt(path)));
    const levels = (["lenient", "standard"] as const).map((profile) =>
      worstOf(findingsOf(plan, withoutNoise(plan), profile).map(({ risk_level }) => risk_level)),
    );
    expect(levels).toEqual([lenient, standard]);
  });
});
