import { isObject, text } from "@leeway/shared/values/json";

import type { ResourceChange } from "../../plan/model.ts";
import { createsFirst, destroyed, replacesServing } from "../deletions.ts";
import type { Rule, RuleMatch } from "../rule.ts";
import type { Subject } from "../subject.ts";
import { shown } from "../values.ts";

export const R06 = {
  id: "R06",
  title: "A serving resource is replaced, new one first",
  why: "Unique names and connections to the old one can break.",
  check: "Check that both can exist at the same time, and what still points at the old one.",
  cases: {
    noDowntime: {
      flag: "replace_no_downtime",
      when: "a serving resource whose replacement is created first",
      standard: "medium",
      lenient: "medium",
    },
    nameConflict: {
      flag: "replace_no_downtime",
      when: "the same, when old and new bear one fixed name (`name` without `name_prefix`)",
      standard: "high",
      lenient: "medium",
    },
  },
  example: {
    address: "aws_instance.worker",
    actions: ["create", "delete"],
    before: { ami: "ami-0a1b2c3d4e5f60718" },
    after: { ami: "ami-0f9e8d7c6b5a40312" },
    replacePaths: [["ami"]],
  },
  find: replacedWithoutDowntime,
} satisfies Rule;

function replacedWithoutDowntime(subject: Subject): RuleMatch[] {
  if (!replacesServing(subject) || !createsFirst(subject.change)) return [];
  const name = fixedName(subject.change);
  return name === undefined
    ? [destroyed(subject, R06.cases.noDowntime, "the new one is created first")]
    : [
        destroyed(
          subject,
          R06.cases.nameConflict,
          `the new one is created first, but both are named ${name}`,
        ),
      ];
}

function fixedName({ before, after }: ResourceChange): string | undefined {
  if (!isObject(before) || !isObject(after)) return undefined;
  const name = text(after, "name");
  const isFixed = name === text(before, "name") && text(after, "name_prefix") === undefined;
  return isFixed && name !== undefined ? shown(name) : undefined;
}
