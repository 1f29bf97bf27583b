import { describe, expect, test } from "bun:test";
import { join } from "node:path";

import { CORPUS, hasCorpus } from "@leeway/shared/corpus.fixture";
import { isObject, members, text, type Json } from "@leeway/shared/json";
import { maskPlan } from "@leeway/shared/plan/mask-plan";
import { Glob } from "bun";

import { refreshDriftOf } from "./planned-drift.ts";

const PLANS = join(CORPUS, "terraform-plans");
const files = hasCorpus
  ? [...new Glob("*/*.json").scanSync(PLANS)].filter((path) => !path.startsWith("invalid/"))
  : [];

describe.skipIf(!hasCorpus)("real plans (skipped where there are none: set LEEWAY_CORPUS)", () => {
  test("what a refresh found is told with its attributes, unless it means the same", async () => {
    let told = 0;
    for (const path of files) {
      const plan: Json = await Bun.file(join(PLANS, path)).json();
      for (const resource of members(maskPlan(isObject(plan) ? plan : {}), "resource_drift")) {
        const found = refreshDriftOf(resource, undefined, { profile: "strict" });
        if (!found) continue;
        told += 1;
        expect(found.of.address).toBe(text(resource, "address") ?? "");
        if (found.kind === "changed") expect(found.drift.attribute_changes.length).toBeGreaterThan(0);
      }
    }
    // The others are tags that were null and are empty, and a policy in another order.
    expect(told).toBeGreaterThanOrEqual(10);
  });
});
