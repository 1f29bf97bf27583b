import { analyzePlan, type AnalyzeOptions } from "@leeway/analysis/analyze";
import type { AnalysisContext } from "@leeway/analysis/narrative/context";
import { narrativePrompt, type Question } from "@leeway/analysis/narrative/prompt";
import { templateOf } from "@leeway/analysis/narrative/template";
import { planReport } from "@leeway/analysis/plan-report";
import { locate, type Lines } from "@leeway/analysis/settle/locate";
import { promiseOf, type Promised } from "@leeway/analysis/settle/promise";
import { settle, type SettledCode, type SettleRequest } from "@leeway/analysis/settle/settle";
import { stays } from "@leeway/analysis/plan/model";
import { readPlan } from "@leeway/analysis/plan/read-plan";
import { requirePlan } from "@leeway/analysis/plan/upload";
import { withRules, type PlanRules } from "@leeway/rules/plan-rules";
import type { Analysis, Narrative } from "@leeway/shared/contracts/analyzer/analysis";
import type { PlanPromise } from "@leeway/shared/contracts/analyzer/change-request";
import type { SettlementRefusal } from "@leeway/shared/contracts/analyzer/settlements";
import type { Json } from "@leeway/shared/values/json";

import { readEvent } from "./events/read-event.ts";
import { makeFix } from "./noise/make-fix.ts";
import { readSubmission } from "./plans/read-submission.ts";

/** Tasks that process uploads; their time grows with the size of the input. */
export const TASKS = {
  readSubmission,
  analyzeMasked,
  reportMasked,
  plannedIn,
  readEvent,
  makeFix,
  settleCode,
  locateBlock,
};

/** Analysis of a plan, its narrative without a model, and the question for a model. */
export interface ReadPlan {
  analysis: Analysis;
  template: Narrative;
  /** Absent if no model is asked. */
  question?: Question;
  /** Absent if the plan's branch promises nothing. */
  promise?: PlanPromise;
}

/** How an organization wants a plan analyzed, with its own rules. */
type RuledOptions = AnalyzeOptions & Partial<PlanRules>;

/**
 * Analyzes the JSON text of a masked plan.
 * @param about where the plan comes from, for the model's question, and the promises of its branch
 * @throws {AppError} as `requirePlan`: a webhook may bring an invalid plan
 */
export function analyzeMasked(
  plan: string,
  options: RuledOptions,
  { asked, promised = [] }: { asked?: AnalysisContext | undefined; promised?: readonly Promised[] } = {},
): ReadPlan {
  const json: Json = JSON.parse(plan);
  const document = requirePlan(json);
  const { rules = [], source = "" } = options;
  const analysis = withRules(analyzePlan(document, options), document, { rules, source });
  const promise = promised.length === 0 ? undefined : promiseOf(readPlan(document), promised);
  const question = asked && narrativePrompt(analysis, asked);
  return {
    analysis,
    template: templateOf(analysis),
    ...(question && { question }),
    ...(promise && { promise }),
  };
}

/**
 * Returns what a masked plan shows about the state it was made from, as one `PlanLine` per line. Returns undefined if
 * there is nothing to report.
 * @throws {AppError} as `requirePlan`
 */
function reportMasked(plan: string, options: AnalyzeOptions): string | undefined {
  const json: Json = JSON.parse(plan);
  const report = planReport(requirePlan(json), options);
  return report?.map((line) => `${JSON.stringify(line)}\n`).join("");
}

/** Most addresses of a plan that are kept. Only very large plans change more. */
const MAX_PLANNED = 2_000;

/** Returns the addresses that a masked plan changes, with the actions. @throws {AppError} as `requirePlan` */
function plannedIn(plan: string): Record<string, string[]> {
  const json: Json = JSON.parse(plan);
  const changed = readPlan(requirePlan(json)).changes.filter((change) => !stays(change));
  return Object.fromEntries(
    changed.slice(0, MAX_PLANNED).map(({ address, actions }) => [address, [...actions]]),
  );
}

/** Finds the block that declares a resource. @param folder its sources are JSON */
function locateBlock(
  { sources, dir }: { sources: string; dir: string },
  address: string,
): Promise<Lines | { refusal: SettlementRefusal }> {
  return locate({ sources: JSON.parse(sources), dir }, address);
}

/** Settles changes in code. @param request its sources are JSON */
function settleCode({
  sources,
  ...request
}: Omit<SettleRequest, "sources"> & { sources: string }): Promise<SettledCode> {
  return settle({ ...request, sources: JSON.parse(sources) });
}
