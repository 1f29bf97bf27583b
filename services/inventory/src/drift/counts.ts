import type { DriftSnapshot } from "@leeway/shared/contracts/inventory/posture";

/** Counts of live and declared resources, as accounts and snapshots have them. */
export interface CountColumns {
  live_count: number;
  matched_count: number;
  undeclared_count: number;
  unchecked_count: number;
  excluded_count: number;
  missing_count: number;
}

/** What a snapshot says of coverage and risk. */
export interface RiskColumns {
  coverage_pct: string;
  coverage_reliable: boolean;
  risk_level: DriftSnapshot["risk_level"];
  critical_count: number;
  high_count: number;
  medium_count: number;
  low_count: number;
}

export function countsOf(row: CountColumns): CountColumns {
  const { live_count, matched_count, undeclared_count, unchecked_count, excluded_count, missing_count } = row;
  return { live_count, matched_count, undeclared_count, unchecked_count, excluded_count, missing_count };
}

export function coverageAndRiskOf(
  row: RiskColumns,
): Pick<DriftSnapshot, "coverage_pct" | "coverage_reliable" | "risk_level" | "risk_counts"> {
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
  };
}
