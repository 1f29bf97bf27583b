import { templateNarrative } from "@leeway/analysis/narrative/template";
import { gateOf } from "@leeway/analysis/report/gate";
import type { Analysis, AnalyzeResult, Narrative } from "@leeway/shared/contracts/analyzer/analysis";
import { counter } from "@leeway/shared/telemetry/metrics";

import type { AnalyzeSubject } from "../jobs/subject.ts";

/** An analysis and its words, before anybody is told. */
export type Kept = Omit<AnalyzeResult, "comment">;

interface PlanJob {
  orgId: string;
  id: string;
  subject: AnalyzeSubject;
}

const analyzedPlans = counter("plans_analyzed_total", "Plans, by verdict, and by whose words tell it", [
  "risk_level",
  "gate",
  "words",
]);

/** What a plan comes to that was analysed and told in words. */
export function resultOf(
  { orgId, id, subject }: PlanJob,
  { analysis, narrative, publicBaseUrl }: { analysis: Analysis; narrative: Narrative; publicBaseUrl: string },
): Kept {
  const report_url = `${publicBaseUrl}/orgs/${orgId}/plans/${id}`;
  return { ...analysis, narrative, gate: gateOf(analysis, subject.fail_on), report_url };
}

/** Words that no model is asked for. */
export function templateOf(analysis: Analysis, subject: AnalyzeSubject): Narrative {
  return { text: templateNarrative(analysis, subject), source: "template" };
}

export function countVerdict({ risk_level, gate, narrative }: Kept): void {
  analyzedPlans.inc({ risk_level, gate: gate.passed ? "passed" : "failed", words: narrative.source });
}
