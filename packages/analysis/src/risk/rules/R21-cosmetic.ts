import { updates } from "../../plan/model.ts";
import { isCosmetic } from "../cosmetic.ts";
import { firstPathsOf } from "../../plan/leaves.ts";
import type { Rule, RuleMatch } from "../rule.ts";
import type { Subject } from "../subject.ts";
import { changesText } from "../values.ts";

export const R21 = {
  id: "R21",
  title: "Only tags or descriptions change",
  why: "The resource works as before.",
  check: "Check that nothing selects resources by these tags.",
  cases: {
    cosmetic: {
      flag: "cosmetic",
      when: "an update of tags, labels or descriptions alone, of security groups too",
      standard: "none",
      lenient: "none",
    },
  },
  example: {
    address: "aws_lb.shop",
    actions: ["update"],
    before: { tags: { team: "shop" } },
    after: { tags: { team: "checkout" } },
  },
  applies: "alone",
  find: cosmeticUpdate,
} satisfies Rule;

function cosmeticUpdate({ change, type, leaves }: Subject): RuleMatch[] {
  if (!updates(change) || leaves.length === 0) return [];
  if (!leaves.every((leaf) => isCosmetic(type, leaf))) return [];
  const message = `Changes only ${changesText(leaves)}`;
  return [{ case: R21.cases.cosmetic, paths: firstPathsOf(leaves), message }];
}
