import type { Json } from "@leeway/shared/values/json";

import type { ResourceChange } from "../plan/model.ts";
import { hasEverybody, isEmpty, textsOf } from "./attribute-values.ts";
import { blocksAt, type Leaf } from "../plan/leaves.ts";
import type { Closure } from "./tables/table.ts";
import { CLOSURES } from "./types.ts";

/** Returns whether another attribute still keeps the internet out after the change. */
export function isClosedOff(type: string, { after }: ResourceChange, { name }: Pick<Leaf, "name">): boolean {
  return CLOSURES.some(({ isFor, names, by, is }) => {
    if (!isFor(type) || !names(name)) return false;
    const steps = by.split(".");
    const last = steps.pop() ?? "";
    return blocksAt(after, steps).some(({ block }) => isClosed(block[last], is));
  });
}

function isClosed(value: Json | undefined, is: Closure["is"]): boolean {
  if (is === "narrow") return !isEmpty(value) && !hasEverybody(value);
  return is === "deny" ? textsOf(value).join("").toLowerCase() === is : value === is;
}
