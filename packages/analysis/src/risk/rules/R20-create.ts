import type { Rule, RuleMatch } from "../rule.ts";
import { isNew, isNewRevision, type Subject } from "../subject.ts";

export const R20 = {
  id: "R20",
  title: "A resource is created",
  why: "It costs money and needs an owner.",
  check: "Check its size and its name.",
  cases: {
    created: { flag: "create", when: "anything else that is created", standard: "low", lenient: "low" },
    revision: {
      flag: "new_revision",
      when: "what is never changed, such as a task definition or a secret's version, where a new one takes the place of the one before",
      standard: "low",
      lenient: "low",
    },
  },
  flagTexts: {
    new_revision: {
      title: "A new revision replaces the previous one",
      why: "New instances use it. Running ones keep the old revision until they restart.",
      check: "Check that its users pick up the new revision.",
    },
  },
  example: { address: "aws_dynamodb_table.carts", actions: ["create"], after: { name: "carts" } },
  applies: "otherwise",
  find: created,
} satisfies Rule;

function created({ change, what }: Subject): RuleMatch[] {
  if (isNewRevision(change)) {
    const message = "New revision replaces the previous one";
    return [{ case: R20.cases.revision, paths: [...change.replacePaths], message }];
  }
  return isNew(change) ? [{ case: R20.cases.created, paths: [], message: `Creates ${what}` }] : [];
}
