import {
  harmless,
  weigh,
  wholeNoise,
  withoutNoise,
  type KnownNoise,
} from "@leeway/analysis/noise/weigh-noise";
import { fingerprintOf, toldNoise } from "@leeway/analysis/told-change";
import { canonicalJson } from "@leeway/analysis/noise/canonical-json";
import type { Noise } from "@leeway/analysis/noise/noise-in";
import type { MaterialChange } from "@leeway/analysis/plan/model";
import { changeFlags } from "@leeway/analysis/risk/findings";
import type { AttributeChange, PlannedDrift, RiskProfile } from "@leeway/shared/contracts/analyzer/analysis";
import { sha256 } from "@leeway/shared/digest";
import type { Json } from "@leeway/shared/json";

import { changesOf, type MatchedResource } from "./compare-resource.ts";

/** How an organization wants drift judged, and what it knows of its noise. */
export interface DriftOptions extends KnownNoise {
  profile: RiskProfile;
}

/** A live resource that isn't as it is declared. */
export interface AttributeDrift extends Pick<
  PlannedDrift,
  "attribute_changes" | "risk_level" | "risk_flags" | "noise" | "fingerprint"
> {
  /**
   * Another one when a value is another one, under the same fingerprint: what was acknowledged is open again then.
   * Of what is masked a new value can't be told.
   */
  values_hash: string;
  /** Nothing of it is more than noise. */
  hidden: boolean;
}

/** Judges how a live resource differs from its declaration; `drift` is absent when it doesn't. */
export function driftOf(
  resource: MatchedResource,
  options: DriftOptions,
): { checked: boolean; drift?: AttributeDrift } {
  const { checked, change, noise } = changesOf(resource);
  return change === undefined ? { checked } : { checked, drift: judged(change, noise, options) };
}

/** What a difference means: `seen` is what of it is noise. */
export function judged(
  change: MaterialChange,
  seen: readonly Noise[],
  options: DriftOptions,
): AttributeDrift {
  const { noise, hidden } = weigh(seen, options);
  const material = withoutPaths(change, [...hidden]);
  // Noise that comes and goes doesn't make another change of what is beside it.
  const told = material.differences.length > 0 ? material : change;
  return {
    attribute_changes: [...change.differences],
    ...changeFlags(material, { profile: options.profile, outside: true }),
    ...toldNoise(wholeNoise(change, harmless(noise))),
    fingerprint: fingerprintOf(told, "changed"),
    values_hash: hashOf(told.differences),
    hidden: material.differences.length === 0,
  };
}

/** As `withoutNoise`; the noise speaks of the change before what is equal was taken out of it. */
function withoutPaths(change: MaterialChange, noise: readonly Noise[]): MaterialChange {
  const [left = change] = withoutNoise(
    [change],
    noise.map((one) => ({ ...one, change })),
  );
  return left;
}

/** Another one when a value is another one. */
export function hashOf(differences: readonly AttributeChange[]): string {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the values of a plan are JSON
  const values = differences.map(({ path, before, after }) => [path, before, after]) as Json[];
  return sha256(canonicalJson(values)).toString("hex").slice(0, 32);
}
