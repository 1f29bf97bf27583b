import type { AnalyzeResult, Finding } from "@leeway/shared/contracts/analyzer/analysis";

import { isAtLeast } from "../narrative/levels.ts";

/** Whether a finding is one that the gate fails on. */
export function failsGate({ risk_level }: Finding, { fail_on }: AnalyzeResult["gate"]): boolean {
  return fail_on !== "never" && risk_level !== "none" && isAtLeast(risk_level, fail_on);
}
