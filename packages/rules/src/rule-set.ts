import type { RiskLevel } from "@leeway/shared/contracts/analyzer/analysis";
import { isAtLeast } from "@leeway/shared/contracts/analyzer/risk-levels";
import type { ActiveRule, RuleSubject } from "@leeway/shared/contracts/inventory/rules";

import { describeProblem, readCondition, type Condition } from "./condition.ts";
import type { Subject } from "./subject.ts";

/** Rules that change how a subject is shown. */
export interface Effects {
  /** The first rule that hides it. */
  hidden_by?: RuleName;
  raised?: { from: RiskLevel; by: RuleName };
  labels?: string[];
  /** Ids of all rules with an effect. */
  rules: string[];
}

interface RuleName {
  id: string;
  name: string;
}

/** Level and effects of a subject. Without an effect, the level is unchanged. */
export interface Verdict {
  level: RiskLevel;
  effects: Effects | undefined;
}

interface Compiled {
  rule: ActiveRule;
  condition: Condition;
}

/** An organization's rules, compiled. */
export interface RuleSet {
  /** Evaluates all rules about a subject. A condition that fails doesn't match. */
  judge(subject: Subject): Verdict;
  /** Returns why stored rules can't be compiled; they have no effect. */
  problems: { rule: ActiveRule; message: string }[];
}

/** Compiles rules, in the order in which they apply. */
export function ruleSet(rules: readonly ActiveRule[]): RuleSet {
  const bySubject = new Map<RuleSubject, Compiled[]>();
  const problems: RuleSet["problems"] = [];
  for (const rule of rules) {
    const read = readCondition(rule.when);
    if ("problem" in read) {
      problems.push({ rule, message: describeProblem(rule.when, read.problem) });
      continue;
    }
    for (const kind of rule.on)
      bySubject.set(kind, [...(bySubject.get(kind) ?? []), { rule, condition: read.condition }]);
  }
  return { problems, judge: (subject) => judged(subject, bySubject.get(subject.change.kind) ?? []) };
}

function judged(subject: Subject, rules: readonly Compiled[]): Verdict {
  const from = subject.change.risk_level;
  let level = from;
  const effects: Effects = { rules: [] };
  for (const { rule, condition } of rules) {
    const { id, name, effect } = rule;
    if ("raise_to" in effect && isAtLeast(level, effect.raise_to)) continue; // nothing to raise
    if (!isMatch(condition, subject)) continue;
    effects.rules.push(id);
    if ("ignore" in effect) effects.hidden_by ??= { id, name };
    else if ("label" in effect) addLabel(effects, effect.label);
    else {
      level = effect.raise_to;
      effects.raised = { from, by: { id, name } };
    }
  }
  return { level, effects: effects.rules.length > 0 ? effects : undefined };
}

function addLabel(effects: Effects, label: string): void {
  effects.labels ??= [];
  if (!effects.labels.includes(label)) effects.labels.push(label);
}

function isMatch(condition: Condition, subject: Subject): boolean {
  try {
    return condition(subject);
  } catch {
    return false;
  }
}
