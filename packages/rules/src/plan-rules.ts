import type {
  Analysis,
  Finding,
  HiddenFinding,
  NoiseGroup,
  RiskCounts,
} from "@leeway/shared/contracts/analyzer/analysis";
import { byLevel, worstOf } from "@leeway/shared/contracts/analyzer/risk-levels";
import type { ActiveRule } from "@leeway/shared/contracts/inventory/rules";
import type { JsonObject } from "@leeway/shared/values/json";

import { planFacts, providerOf, type PlannedFacts } from "./plan-facts.ts";
import { ruleSet, type Effects, type RuleSet } from "./rule-set.ts";
import { subjectOf, type Subject } from "./subject.ts";

/** An organization's rules, and what it calls the plan's source. */
export interface PlanRules {
  rules: readonly ActiveRule[];
  /** Repository of the plan; empty if unknown. */
  source: string;
}

/**
 * Applies rules to a plan's findings and noise. Hidden findings move to `hidden_findings` and leave the risk; hidden noise
 * counts as muted.
 */
export function withRules(analysis: Analysis, plan: JsonObject, { rules, source }: PlanRules): Analysis {
  const about = rules.filter(({ on }) => on.includes("finding") || on.includes("noise"));
  if (about.length === 0) return analysis;
  const set = ruleSet(about);
  const facts = planFacts(plan);
  const findings: Finding[] = [];
  const hidden: HiddenFinding[] = [];
  for (const finding of analysis.findings) {
    const { level, effects } = set.judge(findingSubject(finding, facts.get(finding.address), source));
    const ruled = { ...finding, risk_level: level, ...shownEffects(effects) };
    if (effects?.hidden_by) hidden.push({ ...ruled, hidden_by: effects.hidden_by });
    else findings.push(ruled);
  }
  const shown = findings.toSorted(byLevel);
  return {
    ...analysis,
    risk_level: worstOf(shown.map(({ risk_level }) => risk_level)),
    risk_counts: countsOf(shown),
    findings: shown,
    ...(hidden.length > 0 && { hidden_findings: hidden.toSorted(byLevel) }),
    noise: analysis.noise.map((group) => ruledNoise(group, set, { facts, source })),
  };
}

function findingSubject(finding: Finding, known: PlannedFacts | undefined, source: string): Subject {
  return subjectOf({
    change: {
      kind: "finding",
      risk_level: finding.risk_level,
      actions: finding.actions,
      rules: [finding.rule],
      flags: [finding.flag],
    },
    resource: { ...known?.resource, type: finding.resource_type },
    declared: { address: finding.address, ...known?.declared, source },
    paths: finding.paths,
  });
}

/** Noise is hidden only if a rule hides it at each of its addresses. */
function ruledNoise(
  group: NoiseGroup,
  { judge }: RuleSet,
  { facts, source }: { facts: ReadonlyMap<string, PlannedFacts>; source: string },
): NoiseGroup {
  const verdicts = group.addresses.map((address) =>
    judge(noiseSubject(group, address, facts.get(address), source)),
  );
  const [first] = verdicts.map(({ effects }) => effects?.hidden_by);
  const isHidden = first !== undefined && verdicts.every(({ effects }) => effects?.hidden_by !== undefined);
  const labels = [...new Set(verdicts.flatMap(({ effects }) => effects?.labels ?? []))];
  return {
    ...group,
    ...(labels.length > 0 && { labels }),
    ...(isHidden && { hidden_by: first, muted: true }),
  };
}

function noiseSubject(
  group: NoiseGroup,
  address: string,
  known: PlannedFacts | undefined,
  source: string,
): Subject {
  const provider = providerOf(group.provider_name);
  return subjectOf({
    change: { kind: "noise", risk_level: "none", fingerprint: group.fingerprint, flags: [group.class] },
    resource: { ...known?.resource, provider, type: group.resource_type },
    declared: { address, ...known?.declared, source },
    paths: [[group.path_pattern]],
  });
}

function shownEffects(effects: Effects | undefined): Pick<Finding, "raised" | "labels"> {
  return {
    ...(effects?.raised && { raised: effects.raised }),
    ...(effects?.labels && { labels: effects.labels }),
  };
}

function countsOf(findings: readonly Finding[]): RiskCounts {
  const counts = { critical: 0, high: 0, medium: 0, low: 0 };
  for (const { risk_level: level } of findings) if (level !== "none") counts[level] += 1;
  return counts;
}
