import { analyzePlan, type AnalyzeOptions } from "@leeway/analysis/analyze";
import { requirePlan } from "@leeway/analysis/plan/upload";
import type { Analysis } from "@leeway/shared/contracts/analyzer/analysis";
import { AppError, type ErrorCode, type ErrorDetail } from "@leeway/shared/errors";
import type { Json } from "@leeway/shared/json";

import { readSubmission, type ReadSubmission } from "./read-submission.ts";

/** Work on a plan that takes as long as the plan is large. */
export type PlanTask =
  | { task: "read"; bytes: Uint8Array }
  | { task: "analyze"; plan: string; options: AnalyzeOptions };

/** A failure in a form that passes between threads. */
export interface TaskFailure {
  failure: { code: ErrorCode; message: string; details: ErrorDetail[] | undefined };
}

export function readTask({ bytes }: { bytes: Uint8Array }): ReadSubmission {
  return readSubmission(bytes);
}

/** @throws {AppError} as `requirePlan`: a webhook may bring what is no plan */
export function analyzeTask({ plan, options }: { plan: string; options: AnalyzeOptions }): Analysis {
  const json: Json = JSON.parse(plan);
  return analyzePlan(requirePlan(json).plan, options);
}

export function runPlanTask(task: PlanTask): ReadSubmission | Analysis | TaskFailure {
  try {
    return task.task === "read" ? readTask(task) : analyzeTask(task);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { code, message, details } = error;
    return { failure: { code, message, details } };
  }
}
