import type { Analysis, AnalyzeResult, FailOn, RiskLevel } from "@leeway/shared/contracts/analyzer/analysis";
import { isAtLeast } from "@leeway/shared/risk-levels";

/** Whether a gate fails on a finding, or on a plan, of this level. */
export function failsGate(level: RiskLevel, failOn: FailOn): boolean {
  return failOn !== "never" && isAtLeast(level, failOn);
}

/** What a gate says of a plan. One that failed passes none that was asked for: what it would do isn't known. */
export function gateOf(
  { errored = false, risk_level: level }: Pick<Analysis, "errored" | "risk_level">,
  failOn: FailOn,
): AnalyzeResult["gate"] {
  const fails = failOn !== "never" && (errored || failsGate(level, failOn));
  return { fail_on: failOn, passed: !fails };
}
