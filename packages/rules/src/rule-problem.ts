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
export function ruleProblem({
  on,
  when,
  then: effect,
}: Pick<RuleContent, "on" | "when" | "then">): RuleProblem | undefined {
  const read = readCondition(when);
  if ("problem" in read)
    return { field: "when", message: describeProblem(when, read.problem), problem: read.problem };
  if (on.includes("noise") && "raise_to" in effect)
    return { field: "then", message: "can't raise noise, which has no level; leave noise out of on" };
  return undefined;
}
