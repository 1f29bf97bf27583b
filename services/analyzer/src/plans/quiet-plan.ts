import { analyzePlan } from "@leeway/analysis/analyze";
import { requirePlan } from "@leeway/analysis/plan/upload";
import type { Analysis, RiskProfile } from "@leeway/shared/contracts/analyzer/analysis";
import type { Json } from "@leeway/shared/json";

import type { AnalyzeSubject } from "../jobs/subject.ts";
import { resultOf, templateOf, type Kept } from "./result.ts";

/** Longer ones wait for their turn: a moment's work. */
const MOST_CHARACTERS = 64 * 1024;

/**
 * What the masked plan of a job comes to when nobody has to be told of it, as of most that a schedule makes: nothing in it
 * is dangerous, drift or noise, and it is of no merge request. Undefined for every other, also one that is no plan.
 */
export function quietResult(
  job: { orgId: string; id: string; subject: AnalyzeSubject },
  plan: string,
  { profile, publicBaseUrl }: { profile: RiskProfile; publicBaseUrl: string },
): Kept | undefined {
  if (job.subject.change_request || plan.length > MOST_CHARACTERS) return undefined;
  const analysis = analysisOf(plan, profile);
  if (!analysis || !isQuiet(analysis)) return undefined;
  return resultOf(job, { analysis, narrative: templateOf(analysis, job.subject), publicBaseUrl });
}

/** Whatever is known of noise: where there is none, it changes nothing. */
function analysisOf(plan: string, profile: RiskProfile): Analysis | undefined {
  try {
    const json: Json = JSON.parse(plan);
    return analyzePlan(requirePlan(json).plan, { profile, muted: [], repeats: {} });
  } catch {
    return undefined; // a worker tells what is wrong with it, and holds nobody else's up
  }
}

function isQuiet({ errored = false, findings, drift, noise }: Analysis): boolean {
  return !errored && findings.length === 0 && drift.length === 0 && noise.length === 0;
}
