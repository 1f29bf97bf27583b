import type { FailOn, RiskLevel } from "@leeway/shared/contracts/analyzer/analysis";
import { isAtLeast } from "@leeway/shared/risk-levels";

/** Whether a gate fails on a finding, or on a plan, of this level. */
export function failsGate(level: RiskLevel, failOn: FailOn): boolean {
  return failOn !== "never" && isAtLeast(level, failOn);
}
