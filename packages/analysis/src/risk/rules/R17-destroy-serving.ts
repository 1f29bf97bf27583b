import { goesForGood } from "../../plan/model.ts";
import { destroyed } from "../deletions.ts";
import { lossOf } from "../loss.ts";
import type { Rule, RuleMatch } from "../rule.ts";
import type { Subject } from "../subject.ts";

export const R17 = {
  id: "R17",
  title: "A serving resource is deleted",
  why: "Anything that depends on it stops working.",
  check: "Check that no client still uses the deleted resource.",
  cases: {
    destroyed: {
      flag: "destroy_serving",
      when: "a serving resource without data that is deleted",
      standard: "high",
      lenient: "high",
      neverHidden: true,
    },
  },
  example: {
    address: "aws_lambda_function.checkout",
    actions: ["delete"],
    before: { function_name: "checkout" },
  },
  find: deletedServing,
} satisfies Rule;

function deletedServing(subject: Subject): RuleMatch[] {
  const { change, type } = subject;
  if (!goesForGood(change) || lossOf(type, change.before) !== "serving") return [];
  return [destroyed(subject, R17.cases.destroyed, "whatever depends on it stops working")];
}
