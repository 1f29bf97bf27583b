import { isObject, text } from "@leeway/shared/values/json";

import { goesForGood, updates, type ResourceChange } from "../../plan/model.ts";
import { numeric } from "../attribute-values.ts";
import { destroying } from "../deletions.ts";
import { pathsOf, type Leaf } from "../../plan/leaves.ts";
import type { Rule, RuleMatch } from "../rule.ts";
import { signsIn } from "../signs.ts";
import type { Subject } from "../subject.ts";
import { isCapacity, isNodePool, STOPS } from "../types.ts";
import { changesText } from "../values.ts";

export const R16 = {
  id: "R16",
  title: "Capacity shrinks",
  why: "The remaining capacity may not carry the load.",
  check: "Compare the new size with peak load.",
  cases: {
    reduced: {
      flag: "capacity_reduction",
      when: "capacity that shrinks by more than half, a node pool that is deleted, or a standby or copies in another zone or region that are given up",
      standard: "medium",
      lenient: "medium",
    },
    toZero: {
      flag: "capacity_reduction",
      when: "capacity that goes down to zero (but not a lower bound of it), or a serving resource that is disabled",
      standard: "high",
      lenient: "medium",
      neverHidden: true,
    },
    switchedOff: {
      flag: "switched_off",
      when: "anything else that is disabled, paused or suspended as a whole",
      standard: "medium",
      lenient: "low",
    },
  },
  example: {
    address: "aws_ecs_service.checkout",
    actions: ["update"],
    before: { desired_count: 6 },
    after: { desired_count: 0 },
  },
  replaces: { rules: ["R08", "R12", "R15"], on: "attributes" },
  find: reducedCapacity,
} satisfies Rule;

function reducedCapacity(subject: Subject): RuleMatch[] {
  const { change, type, what, leaves } = subject;
  if (goesForGood(change) && isNodePool(type)) {
    const message = `${destroying(subject)}: its nodes and what runs on them stop`;
    return [{ case: R16.cases.reduced, paths: [], message }];
  }
  if (!updates(change) || isOnDemand(change)) return [];
  const stopping = signsIn(STOPS, type, leaves);
  if (stopping.length > 0) {
    const message = `Stops ${what}: ${changesText(stopping)}`;
    return [{ case: R16.cases.toZero, paths: pathsOf(stopping), message }];
  }
  const shrinking = leaves.filter((leaf) => isAboutCapacity(leaf) && shrinksByHalf(leaf));
  const toZero = shrinking.filter(goesToZero);
  if (toZero.length > 0) {
    const message = `Scales ${what} to zero: ${changesText(toZero)}`;
    return [{ case: R16.cases.toZero, paths: pathsOf(toZero), message }];
  }
  if (shrinking.length === 0) return [];
  const message = `Shrinks ${what} by more than half: ${changesText(shrinking)}`;
  return [{ case: R16.cases.reduced, paths: pathsOf(shrinking), message }];
}

/** Checks for an on-demand table, which has no capacity setting and scales as needed. */
function isOnDemand({ after }: ResourceChange): boolean {
  return isObject(after) && text(after, "billing_mode") === "PAY_PER_REQUEST";
}

function isAboutCapacity({ name }: Leaf): boolean {
  return isCapacity(lastOf(name)) || isCapacity(name);
}

function lastOf(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}

function shrinksByHalf({ before, after }: Leaf): boolean {
  const [were, are] = [numeric(before), numeric(after)];
  // -1 is unlimited, so only 0 is surely less.
  return were < 0 ? are === 0 : were > 0 && are >= 0 && are < were / 2;
}

/** Checks whether a capacity becomes zero. A lower bound of zero only permits that. */
function goesToZero({ name, after }: Leaf): boolean {
  return numeric(after) === 0 && !/(?:^|_)min(?:imum)?(?:_|$)/.test(lastOf(name));
}
