import type { AttributeChange } from "@leeway/shared/contracts/analyzer/analysis";

import { isComputedReference, isKeptByCloud, isReadOnly } from "../../plan/computed.ts";
import { replaces } from "../../plan/model.ts";
import { OWNED } from "../confidence.ts";
import { explain, type Detector } from "../detector.ts";

/**
 * Explains differences that are all computed, by the cloud or after apply, with no configured change. An unknown
 * identifier isn't noise if the plan creates a resource that it may come from.
 */
export const computedOnly: Detector = (open, { change, source, readable, plan }) => {
  if (open.length === 0 || replaces(change)) return [];
  const { type } = change;
  const isComputed = (difference: AttributeChange): boolean => {
    // Only top-level attributes, because those of a block may be configured.
    const [name] = difference.path;
    if (typeof name !== "string") return false;
    if (source === "drift") return readable.has(difference) && isKeptByCloud(type, name);
    if (!difference.unknown || !isReadOnly(type, name)) return false;
    return !(plan.creates && isComputedReference(type, name));
  };
  if (!open.every(isComputed)) return [];
  return open.map((difference) => explain(difference, "computed_only", OWNED));
};
