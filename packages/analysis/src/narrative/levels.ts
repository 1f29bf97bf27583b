import { RISK_LEVELS, type RiskCounts, type RiskLevel } from "@leeway/shared/contracts/analyzer/analysis";

/** Whether `level` is `least` or worse. */
export function isAtLeast(level: RiskLevel, least: RiskLevel): boolean {
  return RISK_LEVELS.indexOf(level) <= RISK_LEVELS.indexOf(least);
}

/** The worst of some levels; `none` of none. */
export function worstOf(levels: Iterable<RiskLevel>): RiskLevel {
  const found = new Set(levels);
  return RISK_LEVELS.find((level) => found.has(level)) ?? "none";
}

/** Such as "1 critical, 2 low"; empty when all are 0. */
export function countsInWords(counts: RiskCounts): string {
  return RISK_LEVELS.flatMap((level) =>
    level !== "none" && counts[level] > 0 ? [`${counts[level]} ${level}`] : [],
  ).join(", ");
}
