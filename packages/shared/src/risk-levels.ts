import { RISK_LEVELS, type RiskLevel } from "./contracts/analyzer/analysis.ts";

/** Whether `level` is `least` or worse. */
export function isAtLeast(level: RiskLevel, least: RiskLevel): boolean {
  return RISK_LEVELS.indexOf(level) <= RISK_LEVELS.indexOf(least);
}

/** How to sort by level, the worst first; what is of one level keeps its order. */
export function byLevel(one: { risk_level: RiskLevel }, other: { risk_level: RiskLevel }): number {
  return RISK_LEVELS.indexOf(one.risk_level) - RISK_LEVELS.indexOf(other.risk_level);
}

/** The worst of some levels; `none` of none. */
export function worstOf(levels: Iterable<RiskLevel>): RiskLevel {
  const given = new Set(levels);
  return RISK_LEVELS.find((level) => given.has(level)) ?? "none";
}
