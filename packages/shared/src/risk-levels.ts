import { RISK_LEVELS, type RiskLevel } from "./contracts/analyzer/analysis.ts";

/** Whether `level` is `least` or worse. */
export function isAtLeast(level: RiskLevel, least: RiskLevel): boolean {
  return RISK_LEVELS.indexOf(level) <= RISK_LEVELS.indexOf(least);
}

/** The worst of some levels; `none` of none. */
export function worstOf(levels: Iterable<RiskLevel>): RiskLevel {
  const given = new Set(levels);
  return RISK_LEVELS.find((level) => given.has(level)) ?? "none";
}
