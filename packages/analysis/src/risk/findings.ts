import type { Finding, Path, PlannedDrift, RiskProfile } from "@leeway/shared/contracts/analyzer/analysis";
import { byLevel, worstOf } from "@leeway/shared/contracts/analyzer/risk-levels";

import { byAddress } from "../plan/by-address.ts";
import { pathKey } from "../plan/path-keys.ts";
import { deletes, type MaterialChange, type Plan, type ResourceChange } from "../plan/model.ts";
import { readGenerally } from "./general/general.ts";
import { pathsOf } from "../plan/leaves.ts";
import { isMaterial } from "./materiality.ts";
import { openedTogether } from "./opened-together.ts";
import type { Rule, RuleCase, RuleMatch } from "./rule.ts";
import { RULES } from "./rules/all.ts";
import { R01 } from "./rules/R01-destroy-stateful.ts";
import { subjectOf, type Subject } from "./subject.ts";

const RULE_BY_CASE: ReadonlyMap<RuleCase, Rule> = new Map(
  RULES.flatMap((rule) => Object.values(rule.cases).map((one): [RuleCase, Rule] => [one, rule])),
);
const ORDER = RULES.map(({ id }) => id);

const ALONE = RULES.filter(({ applies }) => applies === "alone");
const USUAL = RULES.filter(({ applies }) => applies === undefined);
const OTHERWISE = RULES.filter(({ applies }) => applies === "otherwise");

/**
 * Returns the findings of a plan's changes: worst first, then by rule and address. Each rule makes one finding per
 * change.
 */
export function findingsOf(plan: Plan, changes: readonly MaterialChange[], profile: RiskProfile): Finding[] {
  const material = changes.filter(isMaterial);
  const besideDestroy = material.some((change) => deletes(change) && R01.find(subjectOf(change)).length > 0);
  const together = openedTogether(changes);
  const found = material.flatMap((change) =>
    judged(matchesOf(subjectOf(change, { besideDestroy, together })), profile).map((one) =>
      findingOf(one, change),
    ),
  );
  const inPlan = RULES.flatMap(({ findInPlan }) => findInPlan?.(plan, material) ?? []);
  const whole = judged(inPlan, profile).map((one) => findingOf(one));
  return [...found, ...whole].toSorted(
    (one, other) =>
      byLevel(one, other) ||
      byRule(one, other) ||
      byAddress(one.address, other.address) ||
      compare(one.id, other.id) ||
      compare(JSON.stringify(one), JSON.stringify(other)),
  );
}

/** Applies the rules to a single change. For drift, before is the state, and after is the live resource or null. */
export function changeFlags(
  change: ResourceChange & Partial<MaterialChange>,
  { profile, outside }: { profile: RiskProfile; outside: boolean },
): Pick<PlannedDrift, "risk_level" | "risk_flags"> {
  const found = isMaterial(change) ? judged(matchesOf(subjectOf(change, { outside })), profile) : [];
  return {
    risk_level: worstOf(found.map(({ risk_level }) => risk_level)),
    risk_flags: found.map(({ rule, flag, paths, message }) => ({ rule, flag, evidence: paths, message })),
  };
}

/**
 * Returns the paths of cases that noise never hides. Replaced and deleted resources have them even without
 * differences.
 */
export function neverHiddenPaths(change: ResourceChange): Path[] {
  if (!isMaterial(change)) return [];
  const reported = matchesOf(subjectOf(change)).filter(({ case: { neverHidden } }) => neverHidden === true);
  return pathsOf(reported.flatMap(({ paths }) => paths.map((path) => ({ path }))));
}

function matchesOf(subject: Subject): RuleMatch[] {
  const alone = matchesIn(ALONE, subject);
  if (alone.length > 0) return alone;
  const found = withGeneral(matchesIn(USUAL, subject), subject);
  return found.length > 0 ? found.filter((one) => !isReplaced(one, found)) : matchesIn(OTHERWISE, subject);
}

function matchesIn(rules: readonly Rule[], subject: Subject): RuleMatch[] {
  return rules.flatMap(({ find }) => find?.(subject) ?? []);
}

/**
 * Adds findings from names and words in settings that the tables don't know. Each rule makes one finding per change.
 */
function withGeneral(found: readonly RuleMatch[], subject: Subject): RuleMatch[] {
  const known = found.filter((one) => ruleOf(one).interprets !== false);
  const general = readGenerally(
    subject,
    known.flatMap(({ paths }) => paths),
  );
  const worst = general.toSorted((one, other) => byLevel(levelOf(one), levelOf(other)));
  const byRule = new Map(worst.toReversed().map((one) => [ruleOf(one), one]));
  for (const one of known) byRule.delete(ruleOf(one));
  return [...found, ...byRule.values()];
}

const levelOf = ({ case: { standard } }: RuleMatch): Pick<Finding, "risk_level"> => ({
  risk_level: standard,
});

function ruleOf({ case: found }: RuleMatch): Rule {
  const rule = RULE_BY_CASE.get(found);
  if (rule === undefined) throw new Error(`the rule of ${found.flag} isn't in rules/all.ts: add it there`);
  return rule;
}

/** Returns whether a more specific rule reports the same. */
function isReplaced(match: RuleMatch, found: readonly RuleMatch[]): boolean {
  const { id } = ruleOf(match);
  return found.some((other) => {
    const { replaces } = ruleOf(other);
    if (replaces?.rules.includes(id) !== true) return false;
    return replaces.on === "change" || arePathsIn(match.paths, other.paths);
  });
}

function arePathsIn(paths: readonly Path[], others: readonly Path[]): boolean {
  const known = new Set(others.map(pathKey));
  return paths.every((path) => known.has(pathKey(path)));
}

type Judged = Pick<Finding, "rule" | "flag" | "risk_level" | "paths" | "message">;

/** Sorts matches worst first, then in the order of rules. */
function judged(found: readonly RuleMatch[], profile: RiskProfile): Judged[] {
  return found
    .map((match) => {
      const { flag, [profile]: level } = match.case;
      return { rule: ruleOf(match).id, flag, risk_level: level, paths: match.paths, message: match.message };
    })
    .toSorted((one, other) => byLevel(one, other) || byRule(one, other));
}

/** Suffix for deposed objects, because their replacement has the same address. */
const DEPOSED = "(deposed: left behind by an earlier replacement)";

function findingOf({ rule, flag, risk_level, paths, message }: Judged, change?: ResourceChange): Finding {
  const { address = "", deposed, type = "", actions = [], replacePaths = [] } = change ?? {};
  return {
    id: `${rule}:${address}${deposed === undefined ? "" : ` (deposed ${deposed})`}`,
    rule,
    flag,
    risk_level,
    address,
    resource_type: type,
    actions: [...actions],
    paths,
    ...(replacePaths.length > 0 && { replace_paths: [...replacePaths] }),
    message: deposed === undefined ? message : `${message} ${DEPOSED}`,
  };
}

/** Compares by rule: irreversible changes come first. */
export function byRule(one: { rule: string }, other: { rule: string }): number {
  return ORDER.indexOf(one.rule) - ORDER.indexOf(other.rule);
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
