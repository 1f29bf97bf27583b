import { creates, deletes } from "../../plan/model.ts";
import { firstPathsOf } from "../../plan/leaves.ts";
import type { Rule, RuleMatch } from "../rule.ts";
import type { Subject } from "../subject.ts";
import { changesText } from "../values.ts";

export const R23 = {
  id: "R23",
  title: "A resource changes",
  why: "No rule covers this change.",
  check: "Review the change itself.",
  cases: {
    updated: {
      flag: "update",
      when: "any other update, also one that can't be seen into",
      standard: "low",
      lenient: "low",
    },
  },
  example: {
    address: "aws_lambda_function.checkout",
    actions: ["update"],
    before: { memory_size: 128 },
    after: { memory_size: 256 },
  },
  applies: "otherwise",
  find: updated,
} satisfies Rule;

function updated({ change, leaves }: Subject): RuleMatch[] {
  if (creates(change) || deletes(change)) return [];
  const message =
    leaves.length > 0
      ? `Changes ${changesText(leaves)}`
      : "Changes in attributes that this plan doesn't show";
  return [{ case: R23.cases.updated, paths: firstPathsOf(leaves), message }];
}
