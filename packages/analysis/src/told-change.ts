import { createHash } from "node:crypto";

import type { PlannedDrift } from "@leeway/shared/contracts/analyzer/analysis";

import type { Noise } from "./noise/noise-in.ts";
import type { ResourceChange } from "./plan/model.ts";

/** What is told of a change whatever its kind. */
export function toldOf(
  change: ResourceChange,
  { noiseOf }: { noiseOf: ReadonlyMap<ResourceChange, readonly Noise[]> },
): Pick<
  PlannedDrift,
  "address" | "module_address" | "resource_type" | "provider_name" | "actions" | "attribute_changes" | "noise"
> {
  const [shown] = noiseOf.get(change) ?? [];
  return {
    address: change.address,
    ...(change.moduleAddress !== undefined && { module_address: change.moduleAddress }),
    resource_type: change.type,
    provider_name: change.providerName,
    actions: [...change.actions],
    attribute_changes: [...change.differences],
    ...(shown && {
      noise: { fingerprint: shown.fingerprint, class: shown.class, confidence: shown.confidence },
    }),
  };
}

/** Of resource, kind and paths; no value is in it. */
export function fingerprintOf(change: ResourceChange, kind: string): string {
  const paths = change.differences.map(({ path }) => path);
  const facts = JSON.stringify([change.address, change.type, kind, paths]);
  return `dc1_${createHash("sha256").update(facts).digest("hex").slice(0, 32)}`;
}
