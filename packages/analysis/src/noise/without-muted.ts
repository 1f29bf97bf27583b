import type { Analysis } from "@leeway/shared/contracts/analyzer/analysis";

/** An analysis as people are told it: without noise that is muted, and without drift that is nothing else. */
export function withoutMuted<A extends Pick<Analysis, "noise" | "drift">>(analysis: A): A {
  const groups = Map.groupBy(analysis.noise, ({ muted = false }) => muted);
  const muted = new Set(groups.get(true)?.map(({ fingerprint }) => fingerprint));
  return {
    ...analysis,
    noise: groups.get(false) ?? [],
    drift: analysis.drift.filter(({ noise }) => !noise || !muted.has(noise.fingerprint)),
  };
}
