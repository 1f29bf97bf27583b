import type { PlanPromise } from "@leeway/shared/contracts/analyzer/change-request";
import type { RequestedWay } from "@leeway/shared/contracts/analyzer/settlements";

import type { Plan } from "../plan/model.ts";

/** A resource as a branch of settlements promises it. */
export interface Promised {
  address: string;
  how: RequestedWay;
}

/** Actions that keep a promise: accepted and imported resources stay as they are, and a forgotten one only leaves the state. */
const KEPT: Readonly<Record<Promised["how"], ReadonlySet<string>>> = {
  accept: new Set(["no-op", "read"]),
  forget: new Set(["no-op", "forget"]),
  adopt: new Set(["no-op"]),
};

/** Compares a branch's plan with what the branch promised; undefined for a plan that doesn't show all changes. */
export function promiseOf(plan: Plan, promised: readonly Promised[]): PlanPromise | undefined {
  if (promised.length === 0 || plan.errored || !plan.isWhole) return undefined;
  const actions = new Map(plan.changes.map((change) => [change.address, [...change.actions]]));
  const broken = promised.flatMap(({ address, how }) => {
    const planned = actions.get(address) ?? [];
    return planned.every((action) => KEPT[how].has(action)) ? [] : [{ address, actions: planned }];
  });
  return { kept: broken.length === 0, changes: promised.length, broken };
}
