import type {
  Analysis,
  Finding,
  PlannedDrift,
  PlanSummary,
  RiskCounts,
  RiskProfile,
} from "@leeway/shared/contracts/analyzer/analysis";
import type { JsonObject } from "@leeway/shared/values/json";
import { byLevel, isAtLeast, worstOf } from "@leeway/shared/contracts/analyzer/risk-levels";

import { groupNoise } from "./noise/group-noise.ts";
import {
  hiddenOf,
  materialOf,
  weighNoise,
  wholeNoise,
  withoutNoise,
  type KnownNoise,
  type WeighedNoise,
} from "./noise/weigh-noise.ts";
import { byAddress } from "./plan/by-address.ts";
import { creates, deletes, forgets, replaces, stays, updates, type ResourceChange } from "./plan/model.ts";
import { readPlan } from "./plan/read-plan.ts";
import { relevanceIn } from "./plan/relevance.ts";
import { restoredIn } from "./plan/restored.ts";
import { fingerprintOf, reportedChange } from "./change-report.ts";
import { changeFlags, findingsOf } from "./risk/findings.ts";
import { RULES } from "./risk/rules/all.ts";

/** An organization's risk profile and what it knows about noise. */
export interface AnalyzeOptions extends KnownNoise {
  profile: RiskProfile;
}

/** Analyzes a masked plan: its dangerous changes, its drift and its noise. Never throws, whatever the plan contains. */
export function analyzePlan(document: JsonObject, options: AnalyzeOptions): Analysis {
  const plan = readPlan(document);
  const weighed = weighNoise(plan, options);
  const { noise, hidden } = weighed;
  const findings = findingsOf(plan, withoutNoise(plan.changes, hidden), options.profile);
  const [isRelevant, isRestored] = [relevanceIn(plan), restoredIn(plan)];
  return {
    warnings: [...plan.warnings],
    ...(plan.errored && { errored: true }),
    risk_profile: options.profile,
    risk_level: worstOf(findings.map(({ risk_level }) => risk_level)),
    risk_counts: countsOf(findings),
    summary: summaryOf(plan.changes),
    findings,
    // Resources that only moved in the state are listed, too.
    drift: plan.drift
      .filter((change) => !stays(change))
      .map((change) => ({
        ...judgedDrift(driftOf(change, { ...weighed, profile: options.profile }), isRestored(change)),
        relevant: isRelevant(change),
      }))
      .toSorted((one, other) => byLevel(one, other) || byAddress(one.address, other.address)),
    noise: groupNoise(noise, (one) => hidden.has(one), options.muted),
  };
}

/** Caps drift that the plan reverts at medium, unless the drift lost data or keys. */
function judgedDrift<T extends Pick<PlannedDrift, "risk_level" | "risk_flags">>(
  drift: T,
  restored: boolean,
): T & Pick<PlannedDrift, "restored"> {
  if (!restored) return drift;
  const isLost = drift.risk_flags.some(({ rule }) => LOSSES.has(rule));
  const level = isLost || !isAtLeast(drift.risk_level, "medium") ? drift.risk_level : "medium";
  return { ...drift, restored, risk_level: level };
}

const LOSSES: ReadonlySet<string> = new Set(RULES.filter(({ isLoss }) => isLoss).map(({ id }) => id));

function countsOf(findings: readonly Finding[]): RiskCounts {
  const counts = { critical: 0, high: 0, medium: 0, low: 0 };
  for (const { risk_level: level } of findings) if (level !== "none") counts[level] += 1;
  return counts;
}

function summaryOf(changes: readonly ResourceChange[]): PlanSummary {
  const moved = changes.filter(({ previousAddress }) => previousAddress !== undefined).length;
  const summary = { create: 0, update: 0, replace: 0, delete: 0, import: 0, forget: 0, read: 0, no_op: 0 };
  for (const change of changes) {
    if (change.importing) summary.import += 1;
    // OpenTofu creates a new resource and leaves the old one in place.
    if (forgets(change) && creates(change)) summary.forget += 1;
    summary[actionOf(change)] += 1;
  }
  return { ...summary, ...(moved > 0 && { move: moved }) };
}

function actionOf(change: ResourceChange): Exclude<keyof PlanSummary, "move"> {
  if (replaces(change)) return "replace";
  if (deletes(change)) return "delete";
  if (creates(change)) return "create";
  if (updates(change)) return "update";
  if (forgets(change)) return "forget";
  return change.actions.includes("read") ? "read" : "no_op";
}

function driftOf(
  change: ResourceChange,
  { profile, ...weighed }: WeighedNoise & { profile: RiskProfile },
): Omit<PlannedDrift, "relevant"> {
  const kind = deletes(change) ? "missing" : "changed";
  return {
    kind,
    ...reportedChange(change, wholeNoise(change, hiddenOf(change, weighed))),
    ...changeFlags(materialOf(change, weighed), { profile, outside: true }),
    fingerprint: fingerprintOf(change, kind),
  };
}
