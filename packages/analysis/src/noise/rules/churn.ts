import type { Json } from "@leeway/shared/values/json";

import { canonicalJson } from "../../plan/canonical-json.ts";
import { LIKELY } from "../confidence.ts";
import { explain, leafOf, type Explanation, type Subject } from "../detector.ts";
import { pathPattern } from "../path-pattern.ts";
import type { AttributeChange } from "@leeway/shared/contracts/analyzer/analysis";

/** Minimum number of resources; fewer may be a coincidence. */
const MANY = 3;

/** A difference that no detector explained. */
export interface Unexplained {
  subject: Subject;
  difference: AttributeChange;
}

/**
 * Finds absent attributes that get the same value on many resources of a type. The plan doesn't show the provider's
 * previous version, so this is at most likely. Planned values must also be meaningless.
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
