import { analyzePlan, type AnalyzeOptions } from "@leeway/analysis/analyze";
import { planReport } from "@leeway/analysis/plan-report";
import { requirePlan } from "@leeway/analysis/plan/upload";
import type { Analysis } from "@leeway/shared/contracts/analyzer/analysis";
import type { Json } from "@leeway/shared/json";

import { readSubmission } from "./read-submission.ts";

/** Work on a plan that takes as long as the plan is large. */
export const TASKS = { readSubmission, analyzeMasked, reportMasked };

/** Of a masked plan's text. @throws {AppError} as `requirePlan`: a webhook may bring what is no plan */
export function analyzeMasked(plan: string, options: AnalyzeOptions): Analysis {
  const json: Json = JSON.parse(plan);
  return analyzePlan(requirePlan(json).plan, options);
}

/**
 * What a masked plan says of the state that it was made of: a `PlanLine` in each line; undefined when nothing follows
 * from it. @throws {AppError} as `requirePlan`
 */
export function reportMasked(plan: string, options: AnalyzeOptions): string | undefined {
  const json: Json = JSON.parse(plan);
  const report = planReport(requirePlan(json).plan, options);
  return report?.map((line) => `${JSON.stringify(line)}\n`).join("");
}
