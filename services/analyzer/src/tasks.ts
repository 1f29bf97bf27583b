import { analyzePlan, type AnalyzeOptions } from "@leeway/analysis/analyze";
import type { AnalysisContext } from "@leeway/analysis/narrative/context";
import { narrativePrompt, type Question } from "@leeway/analysis/narrative/prompt";
import { templateOf } from "@leeway/analysis/narrative/template";
import { planReport } from "@leeway/analysis/plan-report";
import { locate, type Lines } from "@leeway/analysis/settle/locate";
import { promiseOf, type Promised } from "@leeway/analysis/settle/promise";
import { settle, type SettledCode, type SettleRequest } from "@leeway/analysis/settle/settle";
import { stays, type ResourceChange } from "@leeway/analysis/plan/model";
import { readPlan } from "@leeway/analysis/plan/read-plan";
import { requirePlan } from "@leeway/analysis/plan/upload";
import { withRules, type PlanRules } from "@leeway/rules/plan-rules";
import type { Analysis, AttributeChange, Narrative } from "@leeway/shared/contracts/analyzer/analysis";
import type { PlanPromise } from "@leeway/shared/contracts/analyzer/change-request";
import type { SettlementRefusal } from "@leeway/shared/contracts/analyzer/settlements";
import type { Output } from "@leeway/shared/contracts/contract";
import { MAX_PLAN_CHANGES, type ListPlanChanges } from "@leeway/shared/contracts/analyzer/jobs";
import { REDACTED } from "@leeway/shared/security/redaction/redact";
import { isObject, present, type Json } from "@leeway/shared/values/json";

import { readEvent } from "./events/read-event.ts";
import { makeFix } from "./noise/make-fix.ts";
import { readSubmission } from "./plans/read-submission.ts";

/** Tasks that process uploads; their time grows with the size of the input. */
export const TASKS = {
  readSubmission,
  analyzeMasked,
  reportMasked,
  plannedIn,
  planChanges,
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

/** Most attributes that are listed of one change. */
const MAX_ATTRIBUTES = 500;

/**
 * Returns what a masked plan changes, with the attributes of one address if it is given.
 * @throws {AppError} as `requirePlan`
 */
function planChanges(plan: string, address?: string): Output<typeof ListPlanChanges> {
  const json: Json = JSON.parse(plan);
  const changed = readPlan(requirePlan(json)).changes.filter(
    (change) => isShown(change) && (address === undefined || change.address === address),
  );
  const data = changed.slice(0, MAX_PLAN_CHANGES).map((change) => {
    const attributes = attributesOf(change);
    return {
      address: change.address,
      ...present({
        previous_address: change.previousAddress,
        module_address: change.moduleAddress,
        deposed: change.deposed,
      }),
      resource_type: change.type,
      provider_name: change.providerName,
      actions: [...change.actions],
      ...(change.importing && { importing: true }),
      attribute_count: attributes.length,
      ...(address !== undefined && { attribute_changes: attributes.slice(0, MAX_ATTRIBUTES) }),
    };
  });
  return { data, total_count: changed.length };
}

/** Returns the attributes that differ. A resource that is created or deleted has all of its attributes. */
function attributesOf({ before, after, differences }: ResourceChange): readonly AttributeChange[] {
  const whole = isObject(before) ? before : after;
  if ((isObject(before) && isObject(after)) || !isObject(whole)) return differences;
  const isDeleted = whole === before;
  return Object.entries(whole).flatMap(([name, value]) => {
    if (value === null) return [];
    const isSecret = value === REDACTED;
    return {
      path: [name],
      before: isDeleted ? value : null,
      after: isDeleted ? null : value,
      before_sensitive: isSecret && isDeleted,
      after_sensitive: isSecret && !isDeleted,
      unknown: false,
    };
  });
}

/** Returns whether a plan does something with a resource. Imports and moves alone change only the state. */
const isShown = (change: ResourceChange): boolean =>
  !stays(change) || change.importing || change.previousAddress !== undefined;

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
