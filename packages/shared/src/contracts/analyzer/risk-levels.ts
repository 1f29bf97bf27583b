/** The worst first. */
export const RISK_LEVELS = ["critical", "high", "medium", "low", "none"] as const;
type RiskLevel = (typeof RISK_LEVELS)[number];

/** Returns whether `level` is `least` or worse. */
export function isAtLeast(level: RiskLevel, least: RiskLevel): boolean {
  return RISK_LEVELS.indexOf(level) <= RISK_LEVELS.indexOf(least);
}

/** Compares levels for sorting, the worst first. Entries with the same level keep their order. */
export function byLevel(one: { risk_level: RiskLevel }, other: { risk_level: RiskLevel }): number {
  return RISK_LEVELS.indexOf(one.risk_level) - RISK_LEVELS.indexOf(other.risk_level);
}

/** Returns the worst of the levels; `none` without any. */
export function worstOf(levels: Iterable<RiskLevel>): RiskLevel {
  const given = new Set(levels);
  return RISK_LEVELS.find((level) => given.has(level)) ?? "none";
}
