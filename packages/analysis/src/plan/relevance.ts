import { creates, deletes, replaces, updates, type Plan, type ResourceChange } from "./model.ts";
import { relevanceKey } from "./read-plan.ts";

/**
 * Tells of a plan's drift whether the plan has changes because of it. What Terraform calls relevant is what others refer
 * to; of the resource itself, that the plan creates it anew or changes the same attributes says so.
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
