import type { Json } from "@leeway/shared/json";

import { canonicalJson } from "../canonical-json.ts";
import { LIKELY } from "../confidence.ts";
import { explain, leafOf, type Explanation, type Subject } from "../detector.ts";
import { pathPattern } from "../path-pattern.ts";
import type { AttributeChange } from "@leeway/shared/contracts/analyzer/analysis";

/** On fewer resources it may be chance. */
const MANY = 3;

/** A difference that nothing has explained. */
export interface Unexplained {
  subject: Subject;
  difference: AttributeChange;
}

/**
 * Attributes that were absent and get the same value on many resources of a type. A plan doesn't tell the provider's
 * version before, so that it's never more than likely; what a plan is to set must also be what means nothing.
 */
export function upgradeChurn(open: readonly Unexplained[]): { subject: Subject; explanation: Explanation }[] {
  const groups = Map.groupBy(open.filter(isNew), ({ subject: { change, source }, difference }) =>
    JSON.stringify([
      source,
      change.providerName,
      change.type,
      pathPattern(difference.path),
      valueOf(difference),
    ]),
  );
  return groups
    .values()
    .toArray()
    .filter((group) => new Set(group.map(({ subject }) => subject.change.address)).size >= MANY)
    .flat()
    .map(({ subject, difference }) => ({
      subject,
      explanation: explain(difference, "provider_upgrade_churn", LIKELY),
    }));
}

function isNew({ subject, difference }: Unexplained): boolean {
  const { before, after } = leafOf(difference);
  if (before !== null || !subject.readable.has(difference) || typeof difference.path.at(-1) === "number")
    return false;
  return subject.source === "drift" || isZero(after);
}

function isZero(value: Json): boolean {
  return value === false || value === 0;
}

function valueOf(difference: AttributeChange): string {
  return canonicalJson(leafOf(difference).after);
}
