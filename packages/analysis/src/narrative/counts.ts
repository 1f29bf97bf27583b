import type { Analysis, RiskCounts, RiskLevel } from "@leeway/shared/contracts/analyzer/analysis";
import { RISK_LEVELS, worstOf } from "@leeway/shared/contracts/analyzer/risk-levels";

/** Returns counts such as "1 critical, 2 low"; empty if all are 0. */
export function countsInWords(counts: RiskCounts): string {
  return RISK_LEVELS.flatMap((level) =>
    level !== "none" && counts[level] > 0 ? [`${counts[level]} ${level}`] : [],
  ).join(", ");
}

/** Returns the worst risk level of the drift in a plan. */
export function driftLevel({ drift }: Pick<Analysis, "drift">): RiskLevel {
  return worstOf(drift.map(({ risk_level: level }) => level));
}
