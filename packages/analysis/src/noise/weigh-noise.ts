import type { Path } from "@leeway/shared/contracts/analyzer/analysis";

import type { MaterialChange, Plan, ResourceChange } from "../plan/model.ts";
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
  return { noise, hidden: new Set(quiet.filter((one) => !isDangerous(one))) };
}

/** A change with what is left of it without hidden noise. */
export function materialOf(
  change: ResourceChange,
  { noiseOf, hidden }: Pick<WeighedNoise, "noiseOf" | "hidden">,
): MaterialChange {
  const own = noiseOf.get(change) ?? [];
  const [material] = withoutNoise(
    [change],
    own.filter((one) => hidden.has(one)),
  );
  return material ?? { ...change, allDifferences: change.differences };
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
