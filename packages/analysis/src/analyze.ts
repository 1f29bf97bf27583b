import { createHash } from "node:crypto";

import type {
  Analysis,
  Finding,
  Path,
  PlannedDrift,
  PlanSummary,
  RiskCounts,
  RiskProfile,
} from "@leeway/shared/contracts/analyzer/analysis";
import type { JsonObject } from "@leeway/shared/json";
import { worstOf } from "@leeway/shared/risk-levels";

import { groupNoise } from "./noise/group-noise.ts";
import { noiseIn, type Noise } from "./noise/noise-in.ts";
import { HIDDEN_FROM, repeatConfidence } from "./noise/confidence.ts";
import {
  creates,
  deletes,
  forgets,
  replaces,
  updates,
  type MaterialChange,
  type Plan,
  type ResourceChange,
} from "./plan/model.ts";
import { readPlan, relevanceKey } from "./plan/read-plan.ts";
import { driftFlags, findingsOf, neverHiddenPaths } from "./risk/findings.ts";

/** How an organization wants plans judged, and what it knows of their noise. */
export interface AnalyzeOptions {
  profile: RiskProfile;
  /** Fingerprints of noise that it doesn't want to hear of. */
  muted?: readonly string[];
  /** By fingerprint, how often noise came back after an apply. */
  repeats?: Readonly<Record<string, number>>;
}

/**
 * What a masked plan says: what is dangerous in it, what is drift, what is mere noise. Nothing in a plan
 * makes this fail.
 */
export function analyzePlan(
  document: JsonObject,
  { profile, muted = [], repeats = {} }: AnalyzeOptions,
): Analysis {
  const plan = readPlan(document);
  const noise = noiseIn(plan).map((one) => ({
    ...one,
    confidence: Math.max(one.confidence, repeatConfidence(repeats[one.fingerprint] ?? 0)),
  }));
  const quiet = noise.filter(
    ({ confidence, fingerprint }) => confidence >= HIDDEN_FROM || muted.includes(fingerprint),
  );
  const hidden = new Set(quiet.filter((one) => !isDangerous(one)));
  const findings = findingsOf(plan, withoutNoise(plan.changes, hidden), profile);
  const noiseOf = Map.groupBy(noise, ({ change }) => change);
  return {
    warnings: [...plan.warnings],
    risk_level: worstOf(findings.map(({ risk_level }) => risk_level)),
    risk_counts: countsOf(findings),
    summary: summaryOf(plan.changes),
    findings,
    drift: plan.drift.map((change) => driftOf(plan, change, { profile, noiseOf, hidden })),
    noise: groupNoise(noise, (one) => hidden.has(one)),
  };
}

/** The changes with what is left of them without `hidden`; the rules speak of none of which nothing is left. */
export function withoutNoise(changes: readonly ResourceChange[], hidden: Iterable<Noise>): MaterialChange[] {
  const byChange = Map.groupBy(hidden, ({ change }) => change);
  return changes.map((change) => {
    const paths = new Set(byChange.get(change)?.flatMap((noise) => noise.paths.map(keyOf)));
    const differences = change.differences.filter(({ path }) => !paths.has(keyOf(path)));
    return { ...change, differences, allDifferences: change.differences };
  });
}

const keyOf = (path: Path): string => JSON.stringify(path);

/** Whether a rule that nothing hides goes by an attribute of the noise, or by one above or below it. */
export function isDangerous({ change, paths }: Pick<Noise, "change" | "paths">): boolean {
  return neverHiddenPaths(change).some((evidence) => paths.some((path) => overlap(evidence, path)));
}

function overlap(one: Path, other: Path): boolean {
  return one.slice(0, other.length).every((step, index) => step === other[index]);
}

function countsOf(findings: readonly Finding[]): RiskCounts {
  const counts = { critical: 0, high: 0, medium: 0, low: 0 };
  for (const { risk_level: level } of findings) if (level !== "none") counts[level] += 1;
  return counts;
}

function summaryOf(changes: readonly ResourceChange[]): PlanSummary {
  const summary = { create: 0, update: 0, replace: 0, delete: 0, import: 0, forget: 0, read: 0, no_op: 0 };
  for (const change of changes) {
    if (change.importing) summary.import += 1;
    summary[deedOf(change)] += 1;
  }
  return summary;
}

function deedOf(change: ResourceChange): keyof PlanSummary {
  if (replaces(change)) return "replace";
  if (deletes(change)) return "delete";
  if (creates(change)) return "create";
  if (updates(change)) return "update";
  if (forgets(change)) return "forget";
  return change.actions.includes("read") ? "read" : "no_op";
}

interface DriftContext {
  profile: RiskProfile;
  /** What of a change is noise. */
  noiseOf: ReadonlyMap<ResourceChange, readonly Noise[]>;
  hidden: ReadonlySet<Noise>;
}

function driftOf(
  plan: Plan,
  change: ResourceChange,
  { profile, noiseOf, hidden }: DriftContext,
): PlannedDrift {
  const own = noiseOf.get(change) ?? [];
  const quiet = own.filter((one) => hidden.has(one));
  const [material = change] = withoutNoise([change], quiet);
  const kind = deletes(change) ? "missing" : "changed";
  const [shown] = own;
  return {
    kind,
    address: change.address,
    ...(change.moduleAddress !== undefined && { module_address: change.moduleAddress }),
    resource_type: change.type,
    provider_name: change.providerName,
    actions: [...change.actions],
    attribute_changes: [...change.differences],
    relevant: change.differences.some(({ path: [step] }) =>
      plan.relevantAttributes.has(relevanceKey(change.address, step)),
    ),
    ...driftFlags(material, profile),
    ...(shown && {
      noise: { fingerprint: shown.fingerprint, class: shown.class, confidence: shown.confidence },
    }),
    fingerprint: fingerprintOf(change, kind),
  };
}

/** Of resource, kind and paths; no value is in it. */
export function fingerprintOf(change: ResourceChange, kind: string): string {
  const paths = change.differences.map(({ path }) => path);
  const facts = JSON.stringify([change.address, change.type, kind, paths]);
  return `dc1_${createHash("sha256").update(facts).digest("hex").slice(0, 32)}`;
}
