import { gateOf } from "@leeway/analysis/risk/gate";
import type { Analysis, AnalyzeResult, Narrative } from "@leeway/shared/contracts/analyzer/analysis";

import type { AnalyzeSubject } from "../jobs/subject.ts";

/** Analysis and narrative, before a comment is posted. */
export type Kept = Omit<AnalyzeResult, "comment">;

interface PlanJob {
  orgId: string;
  id: string;
  subject: AnalyzeSubject;
}

/** Builds the result of an analyzed plan with its narrative. */
export function resultOf(
  { orgId, id, subject }: PlanJob,
  { analysis, narrative, publicBaseUrl }: { analysis: Analysis; narrative: Narrative; publicBaseUrl: string },
): Kept {
  const report_url = `${publicBaseUrl}/orgs/${orgId}/plans/${id}`;
  return { ...analysis, narrative, gate: gateOf(analysis, subject.fail_on), report_url };
}
