import type {
  Finding,
  Path,
  PlannedDrift,
  RiskLevel,
  RiskProfile,
} from "@leeway/shared/contracts/analyzer/analysis";
import { byLevel, worstOf } from "@leeway/shared/risk-levels";

import { byAddress } from "../plan/by-address.ts";
import { deletes, type MaterialChange, type Plan, type ResourceChange } from "../plan/model.ts";
import { isMaterial } from "./materiality.ts";
import { openedTogether } from "./opened-together.ts";
import { changeIam, escalate } from "./rules/access.ts";
import { reduceCapacity } from "./rules/capacity.ts";
import {
  destroyContainer,
  destroyKeyMaterial,
  destroyServing,
  destroyStateful,
  orphan,
  replaceServing,
} from "./rules/destroy.ts";
import { weakenAudit, weakenEncryption } from "./rules/guards.ts";
import { changeNetworkPolicy, changeTrafficPath, exposeToInternet } from "./rules/network.ts";
import { destroyMany } from "./rules/plan.ts";
import { becomePublic } from "./rules/public.ts";
import { anythingElse, cosmetic, rotateSecret } from "./rules/rest.ts";
import { disruptStateful, removeProtection } from "./rules/stateful.ts";
import { subjectOf, type Rule, type Sighting, type Subject } from "./sighting.ts";
import { pathsOf } from "./turns.ts";
import { VERDICTS, type Verdict } from "./verdicts.ts";

const RULES: readonly Rule[] = [
  destroyStateful,
  removeProtection,
  destroyKeyMaterial,
  destroyContainer,
  replaceServing,
  disruptStateful,
  changeNetworkPolicy,
  exposeToInternet,
  becomePublic,
  escalate,
  changeIam,
  weakenEncryption,
  weakenAudit,
  changeTrafficPath,
  reduceCapacity,
  destroyServing,
  orphan,
  rotateSecret,
];

/** Rules, some of whose verdicts stand however surely a change is noise (see `neverHiddenPaths`). */
export const NEVER_HIDDEN: ReadonlySet<string> = new Set(
  Object.values<Verdict>(VERDICTS)
    .filter(({ neverHidden }) => neverHidden)
    .map(({ rule }) => rule),
);

/** What rules say of a plan's changes: worst first, then by address and rule. Each rule speaks once of a change. */
export function findingsOf(plan: Plan, changes: readonly MaterialChange[], profile: RiskProfile): Finding[] {
  const material = changes.filter(isMaterial);
  const besideDestroy = material.some(
    (change) => deletes(change) && destroyStateful(subjectOf(change)).length > 0,
  );
  const together = openedTogether(changes);
  const found = material.flatMap((change) =>
    judged(sightings(subjectOf(change, { besideDestroy, together })), profile).map((one) =>
      findingOf(one, change),
    ),
  );
  const whole = judged(destroyMany(plan, material), profile).map((one) => findingOf(one));
  return [...found, ...whole].toSorted(
    (one, other) =>
      byLevel(one, other) ||
      byAddress(one.address, other.address) ||
      compare(one.rule, other.rule) ||
      compare(one.id, other.id) ||
      compare(JSON.stringify(one), JSON.stringify(other)),
  );
}

/**
 * What rules say of one change by itself; of one outside of the tool, before is the state, after is what is live, or
 * nothing.
 */
export function changeFlags(
  change: ResourceChange & Partial<MaterialChange>,
  { profile, outside }: { profile: RiskProfile; outside: boolean },
): Pick<PlannedDrift, "risk_level" | "risk_flags"> {
  const found = isMaterial(change) ? judged(sightings(subjectOf(change, { outside })), profile) : [];
  return {
    risk_level: worstOf(found.map(({ level }) => level)),
    risk_flags: found.map(({ rule, flag, paths }) => ({ rule, flag, evidence: paths })),
  };
}

/**
 * Paths of a change that rules go by whose verdicts noise never hides. What is replaced or deleted has them even
 * where nothing differs.
 */
export function neverHiddenPaths(change: ResourceChange): Path[] {
  if (!isMaterial(change)) return [];
  const standing = sightings(subjectOf(change)).filter(({ verdict }) => VERDICTS[verdict].neverHidden);
  return pathsOf(standing.flatMap(({ paths }) => paths.map((path) => ({ path }))));
}

function sightings(subject: Subject): Sighting[] {
  const alone = cosmetic(subject);
  if (alone.length > 0) return alone;
  const found = RULES.flatMap((rule) => rule(subject));
  return found.length > 0 ? found : anythingElse(subject);
}

interface Judged {
  rule: string;
  flag: string;
  level: RiskLevel;
  paths: Path[];
  message: string;
}

function judged(found: readonly Sighting[], profile: RiskProfile): Judged[] {
  return found.map(({ verdict, paths, message }) => {
    const { rule, flag, [profile]: level } = VERDICTS[verdict];
    return { rule, flag, level, paths, message };
  });
}

/** Its address is also that of the object which is there now. */
const DEPOSED = "It is a deposed object, which a replacement left behind.";

function findingOf({ rule, flag, level, paths, message }: Judged, change?: ResourceChange): Finding {
  const { address = "", deposed, type = "", actions = [], replacePaths = [] } = change ?? {};
  return {
    id: `${rule}:${address}${deposed === undefined ? "" : ` (deposed ${deposed})`}`,
    rule,
    flag,
    risk_level: level,
    address,
    resource_type: type,
    actions: [...actions],
    paths,
    ...(replacePaths.length > 0 && { replace_paths: [...replacePaths] }),
    message: deposed === undefined ? message : `${message} ${DEPOSED}`,
  };
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
