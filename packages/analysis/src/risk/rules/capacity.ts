import { isObject, text } from "@leeway/shared/json";

import { goesForGood, updates, type ResourceChange } from "../../plan/model.ts";
import type { Leaf } from "../leaves.ts";
import { attributesAt, type Rule } from "../sighting.ts";
import { numeric, pathsOf } from "../turns.ts";
import { isCapacity, isNodePool } from "../types.ts";

/** R16 */
export const reduceCapacity: Rule = ({ change, type, shown, leaves }) => {
  if (goesForGood(change) && isNodePool(type)) {
    return [
      { verdict: "capacityReduction", paths: [], message: `Deleting this ${shown} takes its nodes away.` },
    ];
  }
  if (!updates(change) || isOnDemand(change)) return [];
  const shrinking = leaves.filter((leaf) => isAboutCapacity(leaf) && shrinksByHalf(leaf));
  const toZero = pathsOf(shrinking.filter(goesToZero));
  if (toZero.length > 0) {
    const message = `The change of ${attributesAt(toZero)} takes this ${shown} down to zero.`;
    return [{ verdict: "capacityToZero", paths: toZero, message }];
  }
  const paths = pathsOf(shrinking);
  if (paths.length === 0) return [];
  const message = `The change of ${attributesAt(paths)} shrinks this ${shown} by more than half.`;
  return [{ verdict: "capacityReduction", paths, message }];
};

/** A table that is paid by request has no capacity of its own any more, and as much as it needs. */
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
  // -1 is as many as are asked for: then only none at all is surely less.
  return were < 0 ? are === 0 : were > 0 && are >= 0 && are < were / 2;
}

/** A lower bound of zero only lets it go there. */
function goesToZero({ name, after }: Leaf): boolean {
  return numeric(after) === 0 && !/(?:^|_)min(?:imum)?(?:_|$)/.test(lastOf(name));
}
