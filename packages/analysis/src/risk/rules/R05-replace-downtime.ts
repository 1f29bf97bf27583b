import type { Rule, RuleMatch } from "../rule.ts";
import { createsFirst, destroyed, replacesServing } from "../deletions.ts";
import type { Subject } from "../subject.ts";

export const R05 = {
  id: "R05",
  title: "A serving resource is replaced, old one first",
  why: "It is down until the new one is ready, and its addresses may change.",
  check: "Plan the downtime, or set `create_before_destroy`.",
  cases: {
    downtime: {
      flag: "replace_downtime",
      when: "a serving resource that is destroyed before its replacement is created",
      standard: "high",
      lenient: "high",
      neverHidden: true,
    },
  },
  example: {
    address: "aws_lb.shop",
    actions: ["delete", "create"],
    before: { name: "shop", internal: true },
    after: { name: "shop", internal: false },
    replacePaths: [["internal"]],
  },
  find: replacedWithDowntime,
} satisfies Rule;

function replacedWithDowntime(subject: Subject): RuleMatch[] {
  if (!replacesServing(subject) || createsFirst(subject.change)) return [];
  return [destroyed(subject, R05.cases.downtime, "it is down until the new one is ready")];
}
