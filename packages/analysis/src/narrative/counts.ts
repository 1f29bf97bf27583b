import { RISK_LEVELS, type RiskCounts } from "@leeway/shared/contracts/analyzer/analysis";

/** Such as "1 critical, 2 low"; empty when all are 0. */
export function countsInWords(counts: RiskCounts): string {
  return RISK_LEVELS.flatMap((level) =>
    level !== "none" && counts[level] > 0 ? [`${counts[level]} ${level}`] : [],
  ).join(", ");
}
