import { analyzePlan } from "@leeway/analysis/analyze";
import { templateOf } from "@leeway/analysis/narrative/template";
import { requirePlan } from "@leeway/analysis/plan/upload";
import { gateOf } from "@leeway/analysis/risk/gate";
import type {
  Analysis,
  AnalyzeResult,
  Narrative,
  RiskProfile,
} from "@leeway/shared/contracts/analyzer/analysis";
import type { Json } from "@leeway/shared/values/json";

import type { AnalyzeSubject } from "../jobs/subject.ts";

/** Longest plan that is analyzed at once; longer ones are queued. */
const MAX_CHARACTERS = 64 * 1024;

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

/**
 * Returns the result of a plan that needs no attention, as most scheduled plans don't. Such a plan has no findings,
 * drift or noise, and belongs to no merge request. Returns undefined for any other plan and for invalid ones.
 */
export function quietResult(
  job: PlanJob,
  plan: string,
  { profile, publicBaseUrl }: { profile: RiskProfile; publicBaseUrl: string },
): Kept | undefined {
  if (job.subject.change_request || plan.length > MAX_CHARACTERS) return undefined;
  const analysis = analysisOf(plan, profile);
  if (!analysis || !isQuiet(analysis)) return undefined;
  return resultOf(job, { analysis, narrative: templateOf(analysis), publicBaseUrl });
}

/** Analyzes a plan without known noise, which doesn't affect plans without noise. */
function analysisOf(plan: string, profile: RiskProfile): Analysis | undefined {
  try {
    const json: Json = JSON.parse(plan);
    return analyzePlan(requirePlan(json), { profile, muted: [], repeats: {} });
  } catch {
    return undefined; // a worker reports the error without delaying other events
  }
}

function isQuiet({ errored = false, findings, drift, noise }: Analysis): boolean {
  return !errored && findings.length === 0 && drift.length === 0 && noise.length === 0;
}
