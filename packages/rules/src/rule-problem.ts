import type { RuleContent } from "@leeway/shared/contracts/inventory/rules";

import { describeProblem, readCondition, type Problem } from "./condition.ts";

/** Why a rule is refused. */
export interface RuleProblem {
  field: "when" | "then";
  /** Completes "when …" or "then …". */
  message: string;
  /** Place in the condition. */
  problem?: Problem;
}

/** Returns why a rule of valid form is refused; undefined if it is fine. */
export function ruleProblem(rule: Pick<RuleContent, "on" | "when" | "then">): RuleProblem | undefined {
  return whenProblem(rule.when) ?? thenProblem(rule);
}

/** Returns why a condition is refused; undefined if it is fine. */
export function whenProblem(when: string): RuleProblem | undefined {
  const read = readCondition(when);
  return "problem" in read
    ? { field: "when", message: describeProblem(when, read.problem), problem: read.problem }
    : undefined;
}

/** Returns why a rule's effect is refused; undefined if it is fine. */
export function thenProblem({ on, then: effect }: Pick<RuleContent, "on" | "then">): RuleProblem | undefined {
  return on.includes("noise") && "raise_to" in effect
    ? { field: "then", message: "can't raise noise, which has no level; leave noise out of on" }
    : undefined;
}
