import { counter } from "@leeway/shared/platform/telemetry/metrics";

import type { Kept } from "./result.ts";

const analyzedPlans = counter(
  "plans_analyzed_total",
  "Analyzed plans, by risk level, gate and author of the narrative",
  ["risk_level", "gate", "words"],
);

export function countVerdict({ risk_level, gate, narrative }: Kept): void {
  analyzedPlans.inc({ risk_level, gate: gate.passed ? "passed" : "failed", words: narrative.source });
}
