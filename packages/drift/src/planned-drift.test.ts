import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { Glob } from "bun";

import { CORPUS, hasCorpus } from "@leeway/shared/testing/corpus.fixture";
import { isObject, members, text, type Json } from "@leeway/shared/values/json";
import { maskPlan } from "@leeway/analysis/plan/mask-plan";

import { refreshDriftOf } from "./planned-drift.ts";

const PLANS = join(CORPUS, "terraform-plans");
const files = hasCorpus
  ? [...new Glob("*/*.json").scanSync(PLANS)].filter((path) => !path.startsWith("invalid/"))
  : [];

describe.skipIf(!hasCorpus)("real plans (skipped where there are none: set LEEWAY_CORPUS)", () => {
  test("changes found by a refresh are reported with their attributes, unless they are equivalent", async () => {
    let reported = 0;
    for (const path of files) {
      const plan: Json = await Bun.file(join(PLANS, path)).json();
      for (const resource of members(maskPlan(isObject(plan) ? plan : {}), "resource_drift")) {
        const found = refreshDriftOf(resource, undefined, { profile: "standard" });
        if (!found) continue;
        reported += 1;
        expect(found.of.address).toBe(text(resource, "address") ?? "");
        if (found.kind === "changed") expect(found.drift.attribute_changes.length).toBeGreaterThan(0);
      }
    }
    // The others are empty tags that were null, and a policy in another order.
    expect(reported).toBeGreaterThanOrEqual(10);
  });
});
