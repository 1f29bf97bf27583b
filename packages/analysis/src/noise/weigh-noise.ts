import type { AttributeChange, Path } from "@leeway/shared/contracts/analyzer/analysis";

import { deletes, type MaterialChange, type Plan, type ResourceChange } from "../plan/model.ts";
import { keysAlong, keysInto, pathKey } from "../plan/path-keys.ts";
import { neverHiddenPaths } from "../risk/findings.ts";
import { HIDDEN_FROM, repeatConfidence } from "./confidence.ts";
import { noiseIn, type Noise } from "./noise-in.ts";

/** An organization's decisions and history about noise. */
export interface KnownNoise {
  /** Fingerprints of muted noise. */
  muted?: readonly string[];
  /** Number of times that noise came back after an apply, by fingerprint. */
  repeats?: Readonly<Record<string, number>>;
}

/** Noise of a plan, and the part that is hidden from an organization. */
export interface WeighedNoise {
  noise: readonly Noise[];
  noiseOf: ReadonlyMap<ResourceChange, readonly Noise[]>;
  hidden: ReadonlySet<Noise>;
}

export function weighNoise(plan: Plan, known: KnownNoise): WeighedNoise {
  const weighed = weigh(noiseIn(plan), known);
  return { ...weighed, noiseOf: Map.groupBy(weighed.noise, ({ change }) => change) };
}

/** Sets the confidence of noise from what is known of it, and selects the noise to hide. */
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

/** Removes noise at, above or below attributes of a verdict that noise never hides. */
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

/** Returns a change without its hidden noise. */
export function materialOf(
  change: ResourceChange,
  weighed: Pick<WeighedNoise, "noiseOf" | "hidden">,
): MaterialChange {
  const [material] = withoutNoise([change], hiddenOf(change, weighed));
  return material ?? { ...change, allDifferences: change.differences };
}

/** Returns the hidden noise of a change. */
export function hiddenOf(
  change: ResourceChange,
  { noiseOf, hidden }: Pick<WeighedNoise, "noiseOf" | "hidden">,
): Noise[] {
  return noiseOf.get(change)?.filter((one) => hidden.has(one)) ?? [];
}

/** Returns the first of a change's `noise` if noise is all that differs; undefined for deletions. */
export function wholeNoise(change: ResourceChange, noise: readonly Noise[]): Noise | undefined {
  if (deletes(change)) return undefined;
  return differencesWithout(change, noise).length === 0 ? noise[0] : undefined;
}

/** Returns the changes without `hidden` noise. Rules skip changes that have nothing left. */
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
