import type { Analysis, RiskLevel } from "@leeway/shared/contracts/analyzer/analysis";
import type { JsonObject } from "@leeway/shared/values/json";
import { maskPlan } from "../src/plan/mask-plan.ts";
import { RISK_LEVELS, isAtLeast, worstOf } from "@leeway/shared/contracts/analyzer/risk-levels";

import { analyzePlan } from "../src/analyze.ts";
import type { ReviewedPlan } from "./plan.ts";

export const analyze = (plan: JsonObject): Analysis => analyzePlan(maskPlan(plan), { profile: "standard" });

/** Returns the worst level of the plan's changes and its drift. */
export function levelOf({ risk_level, drift }: Analysis): RiskLevel {
  return worstOf([risk_level, ...drift.map((one) => one.risk_level)]);
}

/** A reviewer's level beside Leeway's level and the rules behind it. */
interface Verdict extends Omit<ReviewedPlan, "plan"> {
  rated: RiskLevel;
  rules: readonly string[];
}

export function judge({ plan, ...reviewed }: ReviewedPlan): Verdict {
  const analysis = analyze(plan);
  const rated = levelOf(analysis);
  const flags = [...analysis.findings, ...analysis.drift.flatMap(flagsOf)];
  const rules = flags.filter((one) => one.risk_level === rated).map(({ rule }) => rule);
  return { ...reviewed, rated, rules: [...new Set(rules)] };
}

function flagsOf({
  risk_level,
  risk_flags,
}: Analysis["drift"][number]): { risk_level: RiskLevel; rule: string }[] {
  return risk_flags.map(({ rule }) => ({ risk_level, rule }));
}

function row(cells: readonly (string | number)[]): string {
  return cells.map((cell) => String(cell).padStart(9)).join("");
}

/** Formats a confusion matrix, followed by a line for each disagreement. */
export function matrix(title: string, verdicts: readonly Verdict[]): string {
  const counts = RISK_LEVELS.map((level) => {
    const judged = verdicts.filter((one) => one.level === level);
    return row([level, ...RISK_LEVELS.map((rated) => judged.filter((one) => one.rated === rated).length)]);
  });
  const disagreements = verdicts
    .filter(({ level, rated }) => level !== rated)
    .map(
      ({ name, level, rated, rules, why }) => `  ${level} → ${rated} (${rules.join(" ")}) ${name}: ${why}`,
    );
  return [title, row(["", ...RISK_LEVELS]), ...counts, ...disagreements, ""].join("\n");
}

export const agreement = (verdicts: readonly Verdict[]): number =>
  verdicts.filter(({ level, rated }) => level === rated).length / verdicts.length;

export const isDangerous = (level: RiskLevel): boolean => isAtLeast(level, "high");

/** Returns plans that the reviewer blocks and Leeway rates lower. */
export const missed = (verdicts: readonly Verdict[]): Verdict[] =>
  verdicts.filter(({ level, rated }) => isDangerous(level) && !isAtLeast(rated, level));

/** Returns plans that the reviewer calls low or none and Leeway rates medium or worse. */
export const falseAlarms = (verdicts: readonly Verdict[]): Verdict[] =>
  verdicts.filter(({ level, rated }) => !isAtLeast(level, "medium") && isAtLeast(rated, "medium"));
