import type { Analysis, AnalyzeResult, FailOn, RiskLevel } from "@leeway/shared/contracts/analyzer/analysis";
import { isAtLeast } from "@leeway/shared/contracts/analyzer/risk-levels";

/** Returns whether a finding or plan of this level fails a gate. */
export function failsGate(level: RiskLevel, failOn: FailOn): boolean {
  return failOn !== "never" && isAtLeast(level, failOn);
}

/** Returns the gate's verdict on a plan. A failed plan never passes, because its changes aren't known. */
export function gateOf(
  { errored = false, risk_level: level }: Pick<Analysis, "errored" | "risk_level">,
  failOn: FailOn,
): AnalyzeResult["gate"] {
  const fails = failOn !== "never" && (errored || failsGate(level, failOn));
  return { fail_on: failOn, passed: !fails };
}

/** Returns the verdict as a phrase without markup, such as `gate failed: risk is critical, limit is high`. */
export function gateText({
  errored = false,
  risk_level: level,
  gate: { fail_on: limit, passed },
}: Pick<AnalyzeResult, "errored" | "risk_level" | "gate">): string {
  if (limit === "never") return "no gate (--fail-on isn't set)";
  const reason = errored ? "the plan failed" : `risk is ${level}`;
  return `gate ${passed ? "passed" : "failed"}: ${reason}, limit is ${limit}`;
}
