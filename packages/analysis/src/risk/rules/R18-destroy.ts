import { deletes } from "../../plan/model.ts";
import { destroying } from "../deletions.ts";
import type { Rule, RuleMatch } from "../rule.ts";
import { isNewRevision, type Subject } from "../subject.ts";
import { isLocal } from "../types.ts";

export const R18 = {
  id: "R18",
  title: "A resource is deleted",
  why: "It can be created again, but it won't be the same resource.",
  check: "Make sure that nothing refers to it.",
  cases: {
    destroyed: {
      flag: "destroy",
      when: "anything else that is deleted or replaced, unknown types included, but for R20's new revisions",
      standard: "medium",
      lenient: "medium",
    },
    local: {
      flag: "destroy_local",
      when: "a resource that exists in the state only, such as `null_resource`, that is deleted or replaced",
      standard: "low",
      lenient: "low",
    },
  },
  flagTexts: {
    destroy_local: {
      title: "A resource that exists in the state only is deleted",
      why: "Nothing in a cloud is deleted.",
      check: "Check what its provisioners and triggers do.",
    },
  },
  example: { address: "aws_scheduler_schedule.nightly", actions: ["delete"], before: { name: "nightly" } },
  applies: "otherwise",
  find: deleted,
} satisfies Rule;

function deleted(subject: Subject): RuleMatch[] {
  const { change, type } = subject;
  if (!deletes(change) || isNewRevision(change)) return [];
  const found = isLocal(type) ? R18.cases.local : R18.cases.destroyed;
  return [{ case: found, paths: [...change.replacePaths], message: destroying(subject) }];
}
