import type { AttributeChange, Path } from "@leeway/shared/contracts/analyzer/analysis";

import { deletes, type MaterialChange, type Plan, type ResourceChange } from "../plan/model.ts";
import { keysAlong, keysInto, pathKey } from "../plan/path-keys.ts";
import { neverHiddenPaths } from "../risk/findings.ts";
import { HIDDEN_FROM, repeatConfidence } from "./confidence.ts";
import { noiseIn, type Noise } from "./noise-in.ts";

/** What an organization knows of noise. */
export interface KnownNoise {
  /** Fingerprints of noise that it doesn't want to hear of. */
  muted?: readonly string[];
  /** By fingerprint, how often noise came back after an apply. */
  repeats?: Readonly<Record<string, number>>;
}

/** The noise of a plan, and which of it an organization needn't hear of. */
export interface WeighedNoise {
  noise: readonly Noise[];
  noiseOf: ReadonlyMap<ResourceChange, readonly Noise[]>;
  hidden: ReadonlySet<Noise>;
}

export function weighNoise(plan: Plan, known: KnownNoise): WeighedNoise {
  const weighed = weigh(noiseIn(plan), known);
  return { ...weighed, noiseOf: Map.groupBy(weighed.noise, ({ change }) => change) };
}

/** How sure noise is by what is known of it, and which of it nobody needs to hear of. */
export function weigh(
  found: readonly Noise[],
  { muted = [], repeats = {} }: KnownNoise,
): Pick<WeighedNoise, "noise" | "hidden"> {
  const noise = found.map((one) => ({
    ...one,
    confidence: Math.max(one.confidence, repeatConfidence(repeats[one.fingerprint] ?? 0)),
  }));
  const quiet = noise.filter(
    ({ confidence, fingerprint }) => confidence >= HIDDEN_FROM || muted.includes(fingerprint),
  );
  return { noise, hidden: new Set(harmless(quiet)) };
}

/** Noise without that by whose attributes, or ones above or below, a rule goes that nothing hides. */
export function harmless(noise: readonly Noise[]): Noise[] {
  const byChange = Map.groupBy(noise, ({ change }) => change);
  return [...byChange].flatMap(([change, ofChange]) => {
    const evidence = neverHiddenPaths(change);
    if (evidence.length === 0) return ofChange;
    const [exact, into] = [new Set(evidence.map(pathKey)), keysInto(evidence)];
    const isDangerous = (path: Path): boolean =>
      into.has(pathKey(path)) || keysAlong(path).some((key) => exact.has(key));
    return ofChange.filter(({ paths }) => !paths.some(isDangerous));
  });
}

/** A change with what is left of it without hidden noise. */
export function materialOf(
  change: ResourceChange,
  weighed: Pick<WeighedNoise, "noiseOf" | "hidden">,
): MaterialChange {
  const [material] = withoutNoise([change], hiddenOf(change, weighed));
  return material ?? { ...change, allDifferences: change.differences };
}

/** The hidden noise of a change. */
export function hiddenOf(
  change: ResourceChange,
  { noiseOf, hidden }: Pick<WeighedNoise, "noiseOf" | "hidden">,
): Noise[] {
  return noiseOf.get(change)?.filter((one) => hidden.has(one)) ?? [];
}

/** The first of a change's `noise` when that is all that differs; what is deleted is more than that. */
export function wholeNoise(change: ResourceChange, noise: readonly Noise[]): Noise | undefined {
  if (deletes(change)) return undefined;
  return differencesWithout(change, noise).length === 0 ? noise[0] : undefined;
}

/** The changes with what is left of them without `hidden`; the rules speak of none of which nothing is left. */
export function withoutNoise(changes: readonly ResourceChange[], hidden: Iterable<Noise>): MaterialChange[] {
  const byChange = Map.groupBy(hidden, ({ change }) => change);
  return changes.map((change) => ({
    ...change,
    differences: differencesWithout(change, byChange.get(change) ?? []),
    allDifferences: change.differences,
  }));
}

function differencesWithout({ differences }: ResourceChange, noise: readonly Noise[]): AttributeChange[] {
  const paths = new Set(noise.flatMap((one) => one.paths.map(pathKey)));
  return differences.filter(({ path }) => !paths.has(pathKey(path)));
}
