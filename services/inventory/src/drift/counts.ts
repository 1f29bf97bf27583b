import { RISK_LEVELS } from "@leeway/shared/contracts/analyzer/risk-levels";
import type { DriftSnapshot, TrendPoint } from "@leeway/shared/contracts/inventory/posture";

/** Counts of live and declared resources in a row of an account or a snapshot. */
export interface CountColumns {
  live_count: number;
  matched_count: number;
  undeclared_count: number;
  unchecked_count: number;
  excluded_count: number;
  missing_count: number;
}

/** Coverage and risk in a row of a snapshot. */
export interface RiskColumns {
  coverage_pct: string;
  coverage_reliable: boolean;
  risk_level: TrendPoint["risk_level"];
  critical_count: number;
  high_count: number;
  medium_count: number;
  low_count: number;
  /** All four counts are null if undeclared resources weren't judged. */
  undeclared_critical_count: number | null;
  undeclared_high_count: number | null;
  undeclared_medium_count: number | null;
  undeclared_low_count: number | null;
}

type UndeclaredRisk = Pick<DriftSnapshot, "undeclared_risk_level" | "undeclared_risk_counts">;

export function countsOf(row: CountColumns): CountColumns {
  const { live_count, matched_count, undeclared_count, unchecked_count, excluded_count, missing_count } = row;
  return { live_count, matched_count, undeclared_count, unchecked_count, excluded_count, missing_count };
}

export function coverageAndRiskOf(
  row: RiskColumns,
): Pick<TrendPoint, "coverage_pct" | "coverage_reliable" | "risk_level" | "risk_counts"> & UndeclaredRisk {
  return {
    coverage_pct: Number(row.coverage_pct),
    coverage_reliable: row.coverage_reliable,
    risk_level: row.risk_level,
    risk_counts: {
      critical: row.critical_count,
      high: row.high_count,
      medium: row.medium_count,
      low: row.low_count,
    },
    ...undeclaredRiskOf(row),
  };
}

function undeclaredRiskOf({
  undeclared_critical_count: critical,
  undeclared_high_count: high,
  undeclared_medium_count: medium,
  undeclared_low_count: low,
}: RiskColumns): UndeclaredRisk {
  if (critical === null || high === null || medium === null || low === null) return {};
  const counts = { critical, high, medium, low };
  const level = RISK_LEVELS.find((one) => one !== "none" && counts[one] > 0) ?? "none";
  return { undeclared_risk_level: level, undeclared_risk_counts: counts };
}
