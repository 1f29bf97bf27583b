import { creates, deletes, replaces, updates, type Plan, type ResourceChange } from "./model.ts";
import { relevanceKey } from "./read-plan.ts";

/**
 * Returns a test of whether drift caused changes in the plan. Terraform lists attributes that other resources refer
 * to. For the resource itself, the plan must recreate it or change the same attributes.
 */
export function relevanceIn({ changes, relevantAttributes }: Plan): (drift: ResourceChange) => boolean {
  const own = new Map(
    changes.filter(({ deposed }) => deposed === undefined).map((change) => [change.address, change]),
  );
  return (drift) => {
    const change = own.get(drift.address);
    if (deletes(drift)) return change !== undefined && creates(change);
    const changing = change !== undefined && (updates(change) || replaces(change)) ? change.differences : [];
    const steps = new Set(changing.map(({ path: [step] }) => step));
    return drift.differences.some(
      ({ path: [step] }) => steps.has(step) || relevantAttributes.has(relevanceKey(drift.address, step)),
    );
  };
}
