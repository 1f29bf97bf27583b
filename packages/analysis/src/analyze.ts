import type {
  Analysis,
  Finding,
  PlannedDrift,
  PlanSummary,
  RiskCounts,
  RiskProfile,
} from "@leeway/shared/contracts/analyzer/analysis";
import type { JsonObject } from "@leeway/shared/json";
import { byLevel, worstOf } from "@leeway/shared/risk-levels";

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
import { fingerprintOf, toldOf } from "./told-change.ts";
import { changeFlags, findingsOf } from "./risk/findings.ts";

/** How an organization wants plans judged, and what it knows of their noise. */
export interface AnalyzeOptions extends KnownNoise {
  profile: RiskProfile;
}

/**
 * What a masked plan says: what is dangerous in it, what is drift, what is mere noise. Nothing in a plan
 * makes this fail.
 */
export function analyzePlan(document: JsonObject, options: AnalyzeOptions): Analysis {
  const plan = readPlan(document);
  const weighed = weighNoise(plan, options);
  const { noise, hidden } = weighed;
  const findings = findingsOf(plan, withoutNoise(plan.changes, hidden), options.profile);
  const isRelevant = relevanceIn(plan);
  return {
    warnings: [...plan.warnings],
    ...(plan.errored && { errored: true }),
    risk_level: worstOf(findings.map(({ risk_level }) => risk_level)),
    risk_counts: countsOf(findings),
    summary: summaryOf(plan.changes),
    findings,
    // What was only moved in the state is listed too.
    drift: plan.drift
      .filter((change) => !stays(change))
      .map((change) => ({
        ...driftOf(change, { ...weighed, profile: options.profile }),
        relevant: isRelevant(change),
      }))
      .toSorted((one, other) => byLevel(one, other) || byAddress(one.address, other.address)),
    noise: groupNoise(noise, (one) => hidden.has(one), options.muted),
  };
}

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
    // OpenTofu makes a new one and leaves the old one where it is.
    if (forgets(change) && creates(change)) summary.forget += 1;
    summary[deedOf(change)] += 1;
  }
  return { ...summary, ...(moved > 0 && { move: moved }) };
}

function deedOf(change: ResourceChange): Exclude<keyof PlanSummary, "move"> {
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
    ...toldOf(change, wholeNoise(change, hiddenOf(change, weighed))),
    ...changeFlags(materialOf(change, weighed), { profile, outside: true }),
    fingerprint: fingerprintOf(change, kind),
  };
}
