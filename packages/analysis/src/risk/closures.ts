import type { ResourceChange } from "../plan/model.ts";
import { blocksAt, type Leaf } from "./leaves.ts";
import { CLOSURES } from "./types.ts";

/** Whether an attribute says who is let in from the internet where that doesn't get after the change anyway. */
export function isClosedOff(type: string, { after }: ResourceChange, { name }: Pick<Leaf, "name">): boolean {
  return CLOSURES.some(({ isFor, names, by, is }) => {
    if (!isFor(type) || !names(name)) return false;
    const steps = by.split(".");
    const last = steps.pop() ?? "";
    return blocksAt(after, steps).some(({ block }) => block[last] === is);
  });
}
