import { creates, deletes, type MaterialChange, type Plan } from "../../plan/model.ts";
import type { Rule, RuleMatch } from "../rule.ts";
import { isNewRevision } from "../subject.ts";
import { isGenerated, isLocal } from "../types.ts";

export const R19 = {
  id: "R19",
  title: "Many resources are destroyed at once",
  why: "So many deletions often come from a wrong workspace, state or variable.",
  check: "Check that this is the right workspace and state.",
  cases: {
    many: {
      flag: "mass_destroy",
      when: "a plan that deletes or replaces at least 25 resources, or at least five that are half of all; generated values and resources that exist in the state only don't count",
      standard: "critical",
      lenient: "medium",
    },
  },
  findInPlan: manyDestroyed,
} satisfies Rule;

const MANY = 25;
/** Minimum number of deletions for which half of a state counts. */
const SOME = 5;
const SHARE = 0.5;

function manyDestroyed(plan: Plan, changes: readonly MaterialChange[]): RuleMatch[] {
  const count = changes.filter(
    (change) =>
      deletes(change) && change.deposed === undefined && !isNewRevision(change) && !isOnlyInState(change),
  ).length;
  const listed = plan.changes.filter(
    (change) =>
      change.mode === "managed" && change.deposed === undefined && (deletes(change) || !creates(change)),
  ).length;
  const existing = listed + (plan.unchangedLeftOut ?? 0);
  const isMuch = count >= SOME && count >= SHARE * existing;
  if (count < MANY && !isMuch) return [];
  const share = isMuch ? ` of ${existing}` : "";
  const message = `Deletes or replaces ${count}${share} resources`;
  return [{ case: R19.cases.many, paths: [], message }];
}

function isOnlyInState({ type }: MaterialChange): boolean {
  return isGenerated(type) || isLocal(type);
}
