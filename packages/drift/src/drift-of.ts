import { fingerprintOf, reportedNoise } from "@leeway/analysis/change-report";
import { canonicalJson } from "@leeway/analysis/plan/canonical-json";
import type { Noise } from "@leeway/analysis/noise/noise-in";
import {
  harmless,
  weigh,
  wholeNoise,
  withoutNoise,
  type KnownNoise,
} from "@leeway/analysis/noise/weigh-noise";
import type { MaterialChange } from "@leeway/analysis/plan/model";
import { changeFlags } from "@leeway/analysis/risk/findings";
import type { AttributeChange, PlannedDrift, RiskProfile } from "@leeway/shared/contracts/analyzer/analysis";
import { sha256 } from "@leeway/shared/values/digest";
import type { Json } from "@leeway/shared/values/json";

import { changesOf, type MatchedResource } from "./compare-resource.ts";

/** An organization's settings for judging drift, and its known noise. */
export interface DriftOptions extends KnownNoise {
  profile: RiskProfile;
}

/** A live resource that differs from its declaration. */
export interface AttributeDrift extends Pick<
  PlannedDrift,
  "attribute_changes" | "risk_level" | "risk_flags" | "noise" | "fingerprint"
> {
  /**
   * Hash that changes with the values while the fingerprint stays, so that an acknowledged drift is open again. New
   * values of masked attributes aren't detected.
   */
  values_hash: string;
  /** Whether all differences are noise. */
  hidden: boolean;
}

/** Judges how a live resource differs from its declaration; `drift` is absent if it doesn't. */
export function driftOf(
  resource: MatchedResource,
  options: DriftOptions,
): { checked: boolean; drift?: AttributeDrift; seen?: string } {
  const { change, noise, ...known } = changesOf(resource);
  return change === undefined ? known : { ...known, drift: judged(change, noise, options) };
}

/** Judges a change; `seen` is the noise in it. */
export function judged(
  change: MaterialChange,
  seen: readonly Noise[],
  options: DriftOptions,
): AttributeDrift {
  const { noise, hidden } = weigh(seen, options);
  const material = withoutPaths(change, [...hidden]);
  // Noise that comes and goes must not change the fingerprint of the other differences.
  const fingerprinted = material.differences.length > 0 ? material : change;
  return {
    attribute_changes: [...change.differences],
    ...changeFlags(material, { profile: options.profile, outside: true }),
    ...reportedNoise(wholeNoise(change, harmless(noise))),
    fingerprint: fingerprintOf(fingerprinted, "changed"),
    values_hash: hashOf(fingerprinted.differences),
    hidden: material.differences.length === 0,
  };
}

/** Removes paths like `withoutNoise`. The noise refers to the change before equal values were removed. */
function withoutPaths(change: MaterialChange, noise: readonly Noise[]): MaterialChange {
  const [left = change] = withoutNoise(
    [change],
    noise.map((one) => ({ ...one, change })),
  );
  return left;
}

/** Returns a hash of the changed values. */
export function hashOf(differences: readonly AttributeChange[]): string {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the values of a plan are JSON
  const values = differences.map(({ path, before, after }) => [path, before, after]) as Json[];
  return sha256(canonicalJson(values)).toString("hex").slice(0, 32);
}
