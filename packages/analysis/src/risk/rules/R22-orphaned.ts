import { isObject, type Json } from "@leeway/shared/values/json";

import { forgets, goesForGood, type ResourceChange } from "../../plan/model.ts";
import type { Rule, RuleMatch } from "../rule.ts";
import type { Subject } from "../subject.ts";
import { isStateful } from "../types.ts";

export const R22 = {
  id: "R22",
  title: "A resource leaves the state",
  why: "It keeps running and costing money, and no code declares it.",
  check: "Decide who manages it from now on.",
  cases: {
    orphaned: {
      flag: "orphaned",
      when: "a resource that stays, but leaves the state",
      standard: "low",
      lenient: "low",
    },
    stateful: {
      flag: "orphaned",
      when: "the same of a resource that holds data",
      standard: "medium",
      lenient: "medium",
    },
  },
  example: { address: "aws_s3_bucket.old", actions: ["forget"], before: { bucket: "old" } },
  applies: "alone",
  find: orphaned,
} satisfies Rule;

function orphaned({ change, type, outside }: Subject): RuleMatch[] {
  const keeping = outside ? undefined : keepingSetting(change);
  if (!forgets(change) && keeping === undefined) return [];
  const message = `Leaves the state but keeps running, declared by no code${keeping ?? ""}`;
  return [{ case: isStateful(type) ? R22.cases.stateful : R22.cases.orphaned, paths: [], message }];
}

/** Settings with which a provider keeps the resource when its code is removed. */
const KEEPING: readonly [name: string, value: Json][] = [
  ["disable_on_destroy", false],
  ["deletion_policy", "ABANDON"],
  ["skip_destroy", true],
  ["retain_on_delete", true],
];

function keepingSetting(change: ResourceChange): string | undefined {
  const { before } = change;
  if (!goesForGood(change) || !isObject(before)) return undefined;
  const found = KEEPING.find(([name, value]) => before[name] === value);
  return found && ` (${found[0]} is ${JSON.stringify(found[1])})`;
}
