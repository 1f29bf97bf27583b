import { analyzePlan } from "@leeway/analysis/analyze";
import { templateOf } from "@leeway/analysis/narrative/template";
import { requirePlan } from "@leeway/analysis/plan/upload";
import { gateOf } from "@leeway/analysis/risk/gate";
import { withRules } from "@leeway/rules/plan-rules";
import type { ActiveRule } from "@leeway/shared/contracts/inventory/rules";
import type { AnalyzeResult } from "@leeway/shared/contracts/analyzer/analysis";
import { AppError } from "@leeway/shared/values/errors";
import type { JsonObject } from "@leeway/shared/values/json";
import { maskPlan } from "@leeway/analysis/plan/mask-plan";

import { Failure } from "../failure.ts";
import type { SubmissionOptions } from "./submission.ts";

/**
 * Analyzes a plan on this machine, as the server does for an organization without muted noise.
 * @throws {Failure} `plan_unreadable`
 */
export function analyzeLocally(
  plan: JsonObject,
  { fail_on: failOn = "never", risk_profile: profile = "standard", repository = "" }: SubmissionOptions,
  rules: readonly ActiveRule[],
): AnalyzeResult {
  const masked = maskPlan(required(plan));
  const analysis = withRules(analyzePlan(masked, { profile }), masked, { rules, source: repository });
  return { ...analysis, narrative: templateOf(analysis), gate: gateOf(analysis, failOn), report_url: "" };
}

function required(plan: JsonObject): JsonObject {
  try {
    return requirePlan(plan);
  } catch (cause) {
    if (cause instanceof AppError) throw new Failure("plan_unreadable", cause.message, { cause });
    throw cause;
  }
}
