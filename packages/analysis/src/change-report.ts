import { createHash } from "node:crypto";

import type { PlannedDrift } from "@leeway/shared/contracts/analyzer/analysis";

import type { Noise } from "./noise/noise-in.ts";
import type { ResourceChange } from "./plan/model.ts";

/** Returns the members common to every kind of change. `noise` is set if the whole change is noise. */
export function reportedChange(
  change: ResourceChange,
  noise: Noise | undefined,
): Pick<
  PlannedDrift,
  "address" | "module_address" | "resource_type" | "provider_name" | "actions" | "attribute_changes" | "noise"
> {
  return {
    address: change.address,
    ...(change.moduleAddress !== undefined && { module_address: change.moduleAddress }),
    resource_type: change.type,
    provider_name: change.providerName,
    actions: [...change.actions],
    attribute_changes: [...change.differences],
    ...reportedNoise(noise),
  };
}

/** Returns noise in the form that a change reports. */
export function reportedNoise(noise: Noise | undefined): Pick<PlannedDrift, "noise"> {
  if (!noise) return {};
  const { fingerprint, class: noiseClass, confidence } = noise;
  return { noise: { fingerprint, class: noiseClass, confidence } };
}

/** Hashes resource, kind and paths; contains no values. */
export function fingerprintOf(change: ResourceChange, kind: string): string {
  const paths = change.differences.map(({ path }) => path);
  const facts = JSON.stringify([change.address, change.type, kind, paths]);
  return `dc1_${createHash("sha256").update(facts).digest("hex").slice(0, 32)}`;
}
